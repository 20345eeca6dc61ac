import type { Kind } from '#contract/kinds.ts'

// Every address of the product, in one place.

export const paths = {
  auth: '/auth',
  verify: '/auth/verify',
  reset: '/auth/reset',
  address: '/auth/address',
  confirmed: '/auth/confirmed',
  dashboard: '/',
  myRecords: '/my-records',
  pipeline: '/pipeline',
  duplicates: '/duplicates',
  merge: '/duplicates/merge',
  changes: '/changes',
  import: '/import',
  export: '/export',
  account: '/account',
  share: '/share',
  waiting: '/waiting',
  programme: '/programme',
  myFigures: '/my-figures',
  views: '/views',
  inbox: '/inbox',
  proposals: '/proposals',
} as const

/** An id in an address. */
export const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

type Of = Pick<Kind, 'path'>

/** The search screen of a kind. */
export const searchPath = ({ path }: Of) => `/${path}`

/** The add screen of a kind. */
export const addPath = ({ path }: Of) => `/${path}/add`

/** The parameter of the add screen that names a waiting form. */
export const WAITING = 'waiting'

/** The add screen with a form that waits for the network. */
export const editWaitingPath = (kind: Of, { id }: { id: string }) =>
  `${addPath(kind)}?${new URLSearchParams({ [WAITING]: id })}`

/** The board of a kind, with parameters. */
export const boardPath = ({ path }: Of, parameters: string[][]) =>
  `${paths.pipeline}?${new URLSearchParams([['show', path], ...parameters])}`

/** The address of a saved search. */
export const viewPath = ({ id }: { id: string }) => `${paths.views}/${id}`

/** The page of a record. */
export const recordPath = ({ path }: Of, { id }: { id: string }) => `/${path}/${id}`

/** The merge screen of two records of a kind. */
export const mergePath = ({ path }: Of, one: { id: string }, other: { id: string }) =>
  `${paths.merge}?${new URLSearchParams({ show: path, one: one.id, other: other.id })}`

/** The screen of an import. */
export const importPath = (id: string) => `${paths.import}?${new URLSearchParams({ id })}`

/** A further part of the programme's screen. */
export const programmePath = (part: string) => `${paths.programme}/${part}`
