/** Every address of the product, in one place. */
export const paths = {
  auth: '/auth',
  verify: '/auth/verify',
  reset: '/auth/reset',
  dashboard: '/',
  founders: '/founders',
  addFounder: '/founders/add',
  companies: '/companies',
  addCompany: '/companies/add',
  myRecords: '/my-records',
  account: '/account',
} as const
