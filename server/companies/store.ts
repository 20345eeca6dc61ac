import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { CompanyInput, CompanyPatch } from '#contract/company.ts'
import type { Note } from '#contract/note.ts'
import type { Account, Caller } from '#server/auth/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { givenIds, isAmong, prepared } from '#server/db/prepared.ts'
import { accounts, companies, companyFellows, notes, tallies } from '#server/db/schema.ts'
import { type Actor, actingAs, idOfActing } from '#server/history/acting.ts'
import { notesPreview } from '#server/notes/store.ts'
import { creatorLabel } from '#server/records/creator.ts'
import { domain } from '#server/records/keys.ts'
import { pickPage } from '#server/records/listing.ts'
import type { Many } from '#server/records/many.ts'
import { newId, type Once } from '#server/records/once.ts'
import { countLabel, newestFirst, newestIds, type PageRequest, placeValues } from '#server/records/paging.ts'
import type { Ownership } from '#server/records/policy.ts'
import type { Searched } from '#server/records/search.ts'
import { searchText, searchTextWith } from '#server/records/search-text.ts'

const own = {
  id: companies.id,
  name: companies.name,
  website: companies.website,
  description: companies.description,
  linkedIn: companies.linkedIn,
  notes: companies.notes,
  rating: companies.rating,
  createdAt: companies.createdAt,
  additionalInfo: companies.additionalInfo,
  enrichment: companies.enrichment,
  version: companies.version,
  notesCount: companies.notesCount,
}

/** The fellows of a company of the enclosing query: its owner, and who has noted it. */
const itsFellows = sql`${companyFellows} where ${companyFellows.companyId} = ${companies.id}`

const columnsFor = (callerId: string | Placeholder) => ({
  ...own,
  createdBy: creatorLabel(companies),
  notesPreview: notesPreview(sql`${notes.companyId} = ${companies.id}`),
  ownerId: sql<string | null>`coalesce(${companies.creatorId}, (
    select ${companyFellows.accountId} from ${itsFellows} and ${companyFellows.isOwner}
  ))`,
  // Not `exists`, which PostgreSQL may answer by reading all that the caller has noted.
  isNoted: sql<boolean>`coalesce((
    select ${companyFellows.notesCount} > 0 from ${itsFellows} and ${companyFellows.accountId} = ${callerId}
  ), false)`,
})

/** A company as the database has it for one caller: with its creator, its newest notes, and what decides about rights. */
export type CompanyRow = Pick<typeof companies.$inferSelect, keyof typeof own> &
  Ownership & { createdBy: string | null; notesPreview: Note[] }

/** `website` is an address in any of its spellings; one that is no company's own finds nothing. */
export type CompanyFilter = { search?: string | undefined; website?: string | undefined; mine?: boolean }

/** What places a company in My Records. */
const placedOfFellow = { createdAt: companyFellows.createdAt, id: companyFellows.companyId }

/** Where companies are searched: in the table, or in what is kept of My Records. */
function listed(caller: Account, { website, mine }: CompanyFilter): Searched {
  const withKey = website === undefined ? undefined : eq(companies.domainKey, domain(website) ?? '')
  if (!mine) return { table: companies, from: sql`${companies}`, where: withKey, placed: companies }
  return {
    table: companies,
    from: sql`${companyFellows} join ${companies} on ${companies.id} = ${companyFellows.companyId}`,
    where: and(eq(companyFellows.accountId, caller.id), withKey),
    placed: placedOfFellow,
  }
}

/** A page, newest first, with one row more than asked for when there is a next one; and how many there are in all. */
export async function listCompanies(
  db: Database,
  caller: Account,
  filter: CompanyFilter,
  page: PageRequest,
  many: Many,
): Promise<{ rows: CompanyRow[]; total: string }> {
  const scope = JSON.stringify(['companies', filter.website, filter.mine && caller.id])
  const search = filter.search ? { term: filter.search, scope, many } : undefined
  // A plain list is one statement; of any other the ids are found first.
  const isPicked = search !== undefined || filter.website !== undefined
  const picked = isPicked ? await pickPage(db, listed(caller, filter), search, page) : undefined
  const [rows, total] = await Promise.all([
    picked ? getCompanies(db, caller, picked.ids) : getNewestCompanies(db, caller, filter.mine, page),
    picked?.matched === undefined ? countCompanies(db, caller, filter).then(String) : countLabel(picked.matched),
  ])
  return { rows, total }
}

export const listNewestCompanies = (db: Database, caller: Account, count: number): Promise<CompanyRow[]> =>
  newestCompanies(db).execute({ callerId: caller.id, rows: count, ...placeValues() })

/** How many companies there are without a search: exact, and no dearer when there are more. */
async function countCompanies(db: Database, caller: Account, filter: CompanyFilter): Promise<number> {
  if (filter.website === undefined) return filter.mine ? countMyCompanies(db, caller) : countAllCompanies(db)
  const { from, where } = listed(caller, filter)
  const [row] = await rowsOf<{ count: number }>(db, sql`select count(*)::int as count from ${from} where ${where}`)
  return row?.count ?? 0
}

const allCompanies = prepared((db) =>
  db
    .select({ count: sql<number>`coalesce(sum(${tallies.companies}), 0)::int` })
    .from(tallies)
    .prepare('all_companies'),
)

export async function countAllCompanies(db: Database): Promise<number> {
  const [row] = await allCompanies(db).execute()
  return row?.count ?? 0
}

async function countMyCompanies(db: Database, caller: Account): Promise<number> {
  const [row] = await db.select({ count: tallies.myCompanies }).from(tallies).where(eq(tallies.creatorId, caller.id))
  return row?.count ?? 0
}

const companiesAmong = (name: string, ids: SQL) =>
  prepared((db) =>
    db
      .select(columnsFor(sql.placeholder('callerId')))
      .from(companies)
      .leftJoin(accounts, eq(accounts.id, companies.creatorId))
      .where(isAmong(companies.id, ids))
      .orderBy(...newestFirst(companies))
      .prepare(name),
  )

const companiesById = companiesAmong('companies_by_id', givenIds('ids'))

const getCompanies = (db: Database, caller: Account, ids: string[]): Promise<CompanyRow[]> =>
  companiesById(db).execute({ callerId: caller.id, ids })

const newestCompanies = companiesAmong('newest_companies', newestIds(sql`${companies}`, companies))
const newestOfCaller = companiesAmong(
  'newest_companies_of_fellow',
  newestIds(sql`${companyFellows}`, placedOfFellow, eq(companyFellows.accountId, sql.placeholder('callerId'))),
)

/** A page of all companies or of My Records, in one statement. */
const getNewestCompanies = (db: Database, caller: Account, mine: boolean | undefined, { limit, after }: PageRequest) =>
  (mine ? newestOfCaller : newestCompanies)(db).execute({ callerId: caller.id, rows: limit + 1, ...placeValues(after) })

export async function getCompany(db: Database, caller: Account, id: string): Promise<CompanyRow | undefined> {
  const [row] = await getCompanies(db, caller, [id])
  return row
}

const notesCountOf = prepared((db) =>
  db
    .select({ count: companies.notesCount })
    .from(companies)
    .where(eq(companies.id, sql.placeholder('id')))
    .prepare('notes_count_of_company'),
)

/** How many notes a company has; undefined when there is no such company. */
export async function getCompanyNotesCount(db: Database, id: string): Promise<number | undefined> {
  const [row] = await notesCountOf(db).execute({ id })
  return row?.count
}

export async function createCompany(
  db: Database,
  creator: Caller,
  input: CompanyInput,
  once?: Once,
): Promise<CompanyRow> {
  const [row] = await db
    .insert(companies)
    .values({
      id: newId(once),
      name: input.name,
      website: input.website || null,
      domainKey: input.website ? domain(input.website) : null,
      description: input.description || null,
      notes: input.notes,
      rating: input.rating,
      creatorId: idOfActing(creator),
      // Name, own notes: what companies are searched by.
      searchText: searchText([input.name, input.notes]),
    })
    .returning(own)
  if (row === undefined) throw new Error('An insert came back without its row')
  return {
    ...row,
    createdBy: creator.name || creator.email,
    notesPreview: [],
    ownerId: creator.id,
    isNoted: false,
  }
}

/** Changes notes and rating. Undefined, and nothing changed, when the company is gone or no longer at `version`. */
export async function updateCompany(
  db: Database,
  editor: Actor,
  company: CompanyRow,
  { notes, rating, version }: CompanyPatch,
): Promise<CompanyRow | undefined> {
  const [row] = await db
    .update(companies)
    .set({
      ...(notes !== undefined && {
        notes,
        searchText: searchTextWith(companies.searchText, [undefined, notes]),
      }),
      ...(rating !== undefined && { rating }),
      version: sql`${companies.version} + 1`,
    })
    .where(
      and(
        eq(companies.id, company.id),
        version === undefined ? undefined : eq(companies.version, version),
        actingAs(editor),
      ),
    )
    .returning({ notes: companies.notes, rating: companies.rating, version: companies.version })
  return row && { ...company, notes: row.notes, rating: row.rating, version: row.version }
}

export async function deleteCompany(db: Database, actor: Actor, id: string): Promise<void> {
  await db.delete(companies).where(and(eq(companies.id, id), actingAs(actor)))
}
