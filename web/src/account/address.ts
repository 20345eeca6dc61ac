export const ACCOUNT = '/account'
