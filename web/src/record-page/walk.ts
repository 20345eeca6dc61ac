import type { RecordQuery } from '#web/records/record-query.ts'
import type { RecordRow } from '#web/records/record-row.ts'

let walk: { key: string; rows: RecordRow[] } = { key: '', rows: [] }

/**
 * The rows of a list in the order in which a person reads them one by one. A record that leaves the list meanwhile, for example by
 * the stage that it was just given, keeps its place. `isNew` begins again with the list as it is.
 */
export function walkThrough(query: RecordQuery, listed: RecordRow[], id: string, isNew: boolean): RecordRow[] {
  const key = JSON.stringify(query)
  const goesOn = key === walk.key && walk.rows.some((row) => row.id === id)
  if (!goesOn || (isNew && listed.some((row) => row.id === id))) walk = { key, rows: listed }
  else {
    const known = new Set(walk.rows.map((row) => row.id))
    const added = listed.filter((row) => !known.has(row.id))
    if (added.length > 0) walk = { key, rows: [...walk.rows, ...added] }
  }
  return walk.rows
}
