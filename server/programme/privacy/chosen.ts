import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import type { RecordData } from '#server/records/record-data.ts'
import { treesOf } from './erase.ts'
import { listJobs } from './jobs.ts'
import { parseRef } from './refs.ts'
import { isThere } from './scan.ts'
import { isRow } from './tables.ts'

/** What was ticked: records with everything merged into them, values of other rows, and jobs. */
export type Chosen = {
  records: { id: string; kind: string; name: string }[]
  /** The ids of the records and of all that was merged into them, in order. */
  trees: string[]
  values: { entry: RecordData; key: string[]; column: string }[]
  jobs: string[]
}

export const gone = () => new AppError(409, 'Something that you chose has changed since the search. Search again.')

/** Throws the 400 for results that no search returned, and the 409 for those that are gone. */
export async function readChosen(db: Database, given: string[]): Promise<Chosen> {
  const refs = given.map(parseRef)
  const ids = refs.flatMap((ref) => (ref.kind === 'record' ? [ref.id] : []))
  const jobs = refs.flatMap((ref) => (ref.kind === 'job' ? [ref.id] : []))
  const values = refs.flatMap((ref) => (ref.kind === 'value' ? [ref] : []))
  const records = await rowsOf<Chosen['records'][number]>(
    db,
    sql`select id, kind, name from records where id = any (${sql.param(ids)}::uuid[]) order by id`,
  )
  if (records.length < new Set(ids).size || (await listJobs(db, jobs, [])).length < new Set(jobs).size) throw gone()
  for (const { entry, key, column } of values) if (!(await isThere(db, entry, isRow(entry, key), column))) throw gone()
  return { records, trees: await treesOf(db, ids), values, jobs }
}
