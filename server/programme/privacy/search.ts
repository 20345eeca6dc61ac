import { getTableColumns, sql } from 'drizzle-orm'
import { HITS_MAX, type PersonHit, type PersonSearch } from '#contract/privacy.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { opinions, records } from '#server/db/schema.ts'
import { isoTime } from '#server/db/sql.ts'
import { kinds } from '#server/kinds.ts'
import { rememberReading } from '#server/opinions/store.ts'
import { addressesOf, type StoredAddresses } from '#server/records/fields.ts'
import { jobsWith } from './jobs.ts'
import { personPattern } from './pattern.ts'
import { jobRef, recordRef, valueRef } from './refs.ts'
import { type Found, scan } from './scan.ts'
import { inWords, searchedTables, tableName } from './tables.ts'

type RecordName = {
  id: string
  rootId: string
  kind: string
  name: string
  about: string
  at: string
} & StoredAddresses
export type PersonHits = { hits: PersonHit[]; hasMore: boolean }

/** Where a person is mentioned: the records that are theirs, then values elsewhere. Rows of those records come with them. */
export async function searchPerson(
  db: Database,
  caller: Caller,
  person: PersonSearch,
  signal: AbortSignal,
): Promise<PersonHits> {
  const pattern = personPattern(person)
  if (pattern === '') return { hits: [], hasMore: false }
  const values: (Found & { table: string })[] = []
  let comments = 0
  for (const entry of searchedTables()) {
    const found = await scan(db, entry, person, { limit: HITS_MAX + 1, signal })
    if (entry.table === opinions && !person.comments) comments = found.length
    else values.push(...found.map((one) => ({ ...one, table: tableName(entry) })))
    if (entry.table === opinions && person.comments) {
      await rememberReading(db, caller, { recordIds: [], opinionIds: found.flatMap(({ key }) => key) })
    }
  }
  const names = await namesOf(
    db,
    values.flatMap(({ records }) => records),
  )
  const rootOf = (id: string) => names.get(id)?.rootId ?? id
  const own = new Map<string, Found>()
  for (const value of values) {
    const [id = ''] = value.key
    if (value.table === 'records' && keysOfPerson.includes(value.column) && !own.has(rootOf(id)))
      own.set(rootOf(id), value)
  }
  const isOwn = ({ records }: Found) => records.some((id) => own.has(rootOf(id)))
  const hits: PersonHit[] = [...own].map(([id, { excerpt }]) => ({
    ref: recordRef(id),
    where: recordInWords(names.get(id)),
    kind: 'record',
    // Two people may have one name.
    excerpt: names.get(id)?.about ?? excerpt,
    at: names.get(id)?.at ?? null,
    hasAddress: [...names.values()].some((one) => one.rootId === id && isAddressed(one)),
  }))
  for (const value of values) {
    if (isOwn(value)) continue
    const record = value.records.map((id) => names.get(id)).find((one) => one !== undefined)
    hits.push({
      ref: valueRef(value.table, value.key, value.column),
      where: valueInWords(value, record),
      kind: value.table,
      excerpt: value.excerpt,
      at: value.at && new Date(value.at).toISOString(),
    })
  }
  for (const { id, excerpt } of await jobsWith(db, pattern, HITS_MAX + 1)) {
    hits.push({ ref: jobRef(id), where: 'Waiting job', kind: 'jobs', excerpt, at: null })
  }
  // Over all records, also those above: a number for each, or for some, would say on which record a word stands.
  if (comments > 0)
    hits.push({ ref: '', where: 'Comments of opinions', kind: 'opinions', excerpt: '', at: null, comments })
  return { hits: hits.slice(0, HITS_MAX), hasMore: hits.length > HITS_MAX }
}

/** The columns by which a record is the person's own: its name and the addresses of its kind. Other text only mentions them. */
const keysOfPerson: readonly string[] = ['name', ...new Set(kinds.flatMap(({ addresses }) => Object.keys(addresses)))]

const addresses = sql.join(
  keysOfPerson
    .filter((key) => key !== 'name')
    .map((key) => sql`nullif(${getTableColumns(records)[key as 'linkedIn']}, '')`),
  sql`, `,
)

/** The names of these records and of what they were merged into. */
async function namesOf(db: Database, ids: string[]): Promise<Map<string, RecordName>> {
  const rows = await rowsOf<RecordName>(
    db,
    sql`with found as (select id, coalesce(merged_root(id), id) as root from records where id = any (${sql.param([...new Set(ids)])}::uuid[]))
      select records.id, coalesce(merged_root(records.id), records.id) as "rootId", kind, name, concat_ws(' · ', ${addresses}) as about,
        linked_in as "linkedIn", website, additional_info as "additionalInfo",
        ${isoTime(sql`created_at`)} as at
      from records where id in (select id from found union select root from found)`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const isAddressed = ({ kind: name, ...record }: RecordName): boolean => {
  const kind = kinds.find((one) => one.name === name.split('-').at(-1))
  return kind !== undefined && addressesOf(kind, record).length > 0
}

/** A merged or a deleted record has a prefix to its kind. */
function recordInWords(record: RecordName | undefined): string {
  if (record === undefined) return 'Record'
  const [kind = '', state] = record.kind.split('-').toReversed()
  return `${inWords(kind)} ${record.name}${state === undefined ? '' : ` (${state})`}`
}

function valueInWords({ table, column }: Found & { table: string }, record: RecordName | undefined): string {
  const what =
    table === 'records'
      ? column === 'notes'
        ? 'Original Notes'
        : inWords(column)
      : `${inWords(table)}, ${inWords(column).toLowerCase()}`
  return record === undefined ? what : `${what} · ${record.name}`
}
