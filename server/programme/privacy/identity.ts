import { kinds } from '#server/kinds.ts'

/** The columns by which a record is the person's own: its name and the addresses of its kind. Other text only mentions them. */
export const keysOfPerson: readonly string[] = [
  'name',
  ...new Set(kinds.flatMap(({ addresses }) => Object.keys(addresses))),
]
