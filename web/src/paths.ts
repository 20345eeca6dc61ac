import type { Kind } from '#contract/kinds.ts'

// Every address of the product, in one place.

export const paths = {
  auth: '/auth',
  verify: '/auth/verify',
  reset: '/auth/reset',
  dashboard: '/',
  myRecords: '/my-records',
  duplicates: '/duplicates',
  merge: '/duplicates/merge',
  import: '/import',
  account: '/account',
  share: '/share',
} as const

type Of = Pick<Kind, 'path'>

/** Where the records of a kind are searched. */
export const searchPath = ({ path }: Of) => `/${path}`

/** Where a record of a kind is added. */
export const addPath = ({ path }: Of) => `/${path}/add`

/** Where two records of a kind are merged. */
export const mergePath = ({ path }: Of, one: { id: string }, other: { id: string }) =>
  `${paths.merge}?${new URLSearchParams({ show: path, one: one.id, other: other.id })}`

/** Where an import goes on. */
export const importPath = (id: string) => `${paths.import}?${new URLSearchParams({ id })}`
