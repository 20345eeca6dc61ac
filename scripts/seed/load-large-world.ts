import { sql } from 'drizzle-orm'
import type { Account } from '#server/auth/sessions/session.ts'
import { companyKind } from '#server/companies/kind.ts'
import { beginBulkLoad } from '#server/db/bulk-load.ts'
import { type Database, firstCause, type OpenDatabase } from '#server/db/database.ts'
import { createStages, type Progress } from '#server/db/progress.ts'
import type { EnrichmentState } from '#server/db/schema.ts'
import { founderKind } from '#server/founders/kind.ts'
import { domain, linkedInPerson } from '#server/names/keys.ts'
import { searchable, searchGrams, searchText } from '#server/records/write/search-text.ts'
import { secondaryText } from '#server/records/write/secondary-text.ts'
import { StartupError } from '#server/startup-error.ts'
import { makeAccount } from '#server/test/factories.ts'
import { type Columns, insertAll } from './insert-all.ts'
import {
  type Fellow,
  type LargeCompany,
  type LargeFounder,
  type LargeNote,
  largeWorld,
  type WorldSize,
} from './large-world.ts'

/**
 * Open the database with these settings: a single statement, such as the creation of an index, may take many minutes.
 */
export const STATEMENT_TIMEOUT_MS = 3_600_000

type LoadOptions = WorldSize & {
  /** Called at the end of each stage. */
  onProgress?: (progress: Progress) => void
  /** The world ends on the eve of this day. */
  until?: Date
  /** Changes records in the same transaction, without triggers, before the indexes are built. */
  more?: ((tx: Database) => Promise<void>) | undefined
}

/**
 * Fills a database without records: with the whole world or, on a failure, with nothing. Locks its tables until the
 * end.
 */
export async function loadLargeWorld(
  database: OpenDatabase,
  { onProgress = () => {}, until = new Date(), more = async () => {}, ...size }: LoadOptions,
): Promise<{ fellows: Fellow[] }> {
  const { fellows, ...world } = largeWorld(size, until)
  const stage = createStages(onProgress)

  const load = async (tx: Database) => {
    await tx.execute(sql.raw(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`))
    const accounts = await stage('fellows', () => makeAccounts(tx, fellows))
    const finishBulkLoad = await beginBulkLoad(tx, ['records', 'notes'])
    const found: Found[] = []
    const founders = await stage('founders', () =>
      insertAll(tx, 'records', founderColumns(accounts), noteFinders(world.founders, found)),
    )
    const companies = await stage('companies', () =>
      insertAll(tx, 'records', companyColumns(accounts), noteFinders(world.companies, found)),
    )
    await stage('notes', () => insertAll(tx, 'notes', noteColumns({ accounts, founders, companies }), world.notes))
    await stage('derived data', () => tx.execute(sql`select rebuild_derived()`))
    await more(tx)
    await finishBulkLoad(stage)
    await stage('finders', () => addFinders(tx, accounts, found))
    // The triggers that queue records for comparison were off.
    await tx.execute(
      sql`insert into duplicate_checks (record_id, priority) select id, 0 from records on conflict do nothing`,
    )
  }
  await database.db.transaction(load).catch((error) => {
    throw new StartupError(`The world was not loaded, and nothing of it was kept: ${firstCause(error).message}`)
  })
  // Plans depend on statistics, and index-only scans on the visibility map.
  await stage('vacuum', () => database.execute('vacuum (analyze)'))
  return { fellows }
}

/** With the factories' password. */
async function makeAccounts(tx: Database, fellows: Fellow[]): Promise<Account[]> {
  const accounts: Account[] = []
  for (const fellow of fellows) accounts.push(await makeAccount(tx, { ...fellow, emailVerified: true }))
  return accounts
}

const creatorColumns = (accounts: Account[]): Columns<{ creator: number | string }> => ({
  creator_id: ['uuid', ({ creator }) => (typeof creator === 'number' ? accounts[creator]?.id : null)],
  creator_text: ['text', ({ creator }) => (typeof creator === 'string' ? creator : null)],
})

type Shared = Omit<LargeFounder | LargeCompany, 'known'> & { known: object | undefined }

/** The newest note, or the creation by hand. Further finders are added later. */
const lastActivity = ({ lastNoteAt, lastNoteBy, createdAt, creator, isRated }: Shared) => {
  if (lastNoteBy !== undefined) return { at: lastNoteAt, by: lastNoteBy }
  return isRated && typeof creator === 'number' ? { at: createdAt, by: creator } : { at: new Date(0) }
}

const sharedColumns = (accounts: Account[]): Columns<Shared> => ({
  additional_info: ['jsonb', ({ known }) => (known ? JSON.stringify(known) : null)],
  enrichment: ['jsonb', ({ known, createdAt }) => JSON.stringify(known ? stateOf(known, createdAt) : {})],
  is_rated: ['boolean', ({ isRated }) => isRated],
  is_imported: ['boolean', ({ isRated }) => !isRated],
  // Triggers maintain these, but they are set here, because correcting a million rows would write them twice.
  notes_count: ['integer', ({ notesCount }) => notesCount],
  last_note_at: ['timestamptz', ({ lastNoteAt }) => lastNoteAt.toISOString()],
  last_activity_at: ['timestamptz', (record) => lastActivity(record).at.toISOString()],
  last_activity_by: ['uuid', (record) => accounts[lastActivity(record).by ?? -1]?.id],
  enriched_at: ['timestamptz', ({ createdAt }) => createdAt.toISOString()],
  created_at: ['timestamptz', ({ createdAt }) => createdAt.toISOString()],
})

const textOfFounder = ({ name, notes, known }: LargeFounder) =>
  searchText(founderKind.searched, { ...known, name, notes })
const textOfCompany = ({ name, notes }: LargeCompany) => searchText(companyKind.searched, { name, notes })

const founderColumns = (accounts: Account[]): Columns<LargeFounder> => ({
  id: ['uuid', ({ id }) => id],
  kind: ['text', () => founderKind.name],
  name: ['text', ({ name }) => name],
  linked_in: ['text', ({ linkedIn }) => linkedIn],
  linked_in_key: ['text', ({ linkedIn }) => linkedInPerson(linkedIn)],
  notes: ['text', ({ notes }) => notes],
  rating: ['smallint', ({ rating }) => rating],
  search_text: ['text', textOfFounder],
  search_grams: ['tsvector', (founder) => searchGrams(textOfFounder(founder))],
  mention_text: ['text', ({ known = {} }) => secondaryText(founderKind.secondary, { fields: {}, info: known })],
  ...creatorColumns(accounts),
  ...sharedColumns(accounts),
})

const companyColumns = (accounts: Account[]): Columns<LargeCompany> => ({
  id: ['uuid', ({ id }) => id],
  kind: ['text', () => companyKind.name],
  name: ['text', ({ name }) => name],
  website: ['text', ({ website }) => website || null],
  domain_key: ['text', ({ website }) => (website ? domain(website) : null)],
  description: ['text', ({ description }) => description || null],
  notes: ['text', ({ notes }) => notes],
  rating: ['smallint', ({ rating }) => rating],
  search_text: ['text', textOfCompany],
  search_grams: ['tsvector', (company) => searchGrams(textOfCompany(company))],
  mention_text: [
    'text',
    ({ description, known = {} }) => secondaryText(companyKind.secondary, { fields: { description }, info: known }),
  ],
  ...creatorColumns(accounts),
  ...sharedColumns(accounts),
})

/** A record and a fellow, by index, who found it after its creator. */
type Found = { id: string; fellow: number; at: string }

/** The same records. Adds their further finders to `found` while they are read. */
function* noteFinders<Row extends LargeFounder | LargeCompany>(rows: Iterable<Row>, found: Found[]): Iterable<Row> {
  for (const row of rows) {
    for (const fellow of row.finders) found.push({ id: row.id, fellow, at: row.createdAt.toISOString() })
    yield row
  }
}

async function addFinders(tx: Database, accounts: Account[], found: Found[]) {
  const columns: Columns<Found> = {
    record_id: ['uuid', ({ id }) => id],
    account_id: ['uuid', ({ fellow }) => accounts[fellow]?.id],
    found_at: ['timestamptz', ({ at }) => at],
    via: ['text', () => 'self'],
  }
  await insertAll(tx, 'finders', columns, found)
  await tx.execute(sql`
    update records set last_activity_at = found_at, last_activity_by = account_id
    from (select distinct on (record_id) * from finders order by record_id, found_at desc, account_id) found
    where records.id = record_id and last_activity_at < found_at`)
  await tx.execute(sql`
    insert into record_members (record_id, kind, account_id, created_at, is_finder)
    select id, kind, account_id, created_at, true from finders join records on id = record_id
    on conflict (record_id, account_id) do update set is_finder = true`)
}

type Ids = { accounts: Account[]; founders: string[]; companies: string[] }

const noteColumns = ({ accounts, founders, companies }: Ids): Columns<LargeNote> => ({
  id: ['uuid', ({ id }) => id],
  record_id: ['uuid', ({ founder = -1, company = -1 }) => founders[founder] ?? companies[company]],
  kind: ['text', ({ founder }) => (founder === undefined ? companyKind.name : founderKind.name)],
  author_id: ['uuid', ({ author }) => accounts[author]?.id],
  content: ['text', ({ content }) => content],
  search_text: ['text', ({ content }) => searchable(content)],
  created_at: ['timestamptz', ({ createdAt }) => createdAt.toISOString()],
})

/** The state after one run that found everything. */
function stateOf(known: object, createdAt: Date): EnrichmentState {
  const at = createdAt.toISOString()
  const found = Object.keys(known)
  return {
    sources: Object.fromEntries(found.map((field) => [field, { provider: 'people_data_labs', at }])),
    last: { at, found },
  }
}
