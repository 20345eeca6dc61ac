import type { Kind } from '#contract/kinds.ts'

// Every address of the product, in one place.

export const paths = {
  auth: '/auth',
  verify: '/auth/verify',
  reset: '/auth/reset',
  dashboard: '/',
  myRecords: '/my-records',
  account: '/account',
  share: '/share',
} as const

type Of = Pick<Kind, 'path'>

/** Where the records of a kind are searched. */
export const searchPath = ({ path }: Of) => `/${path}`

/** Where a record of a kind is added. */
export const addPath = ({ path }: Of) => `/${path}/add`
