import { and, eq, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { CompanyInput, CompanyPatch } from '#contract/company.ts'
import type { Note } from '#contract/note.ts'
import { COUNT_MAX } from '#contract/record.ts'
import type { Account } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, companies, notes, tallies } from '#server/db/schema.ts'
import { isNotedBy, notesPreview } from '#server/notes/store.ts'
import { creatorLabel, isMine, ownerOf } from '#server/records/creator.ts'
import { domain } from '#server/records/keys.ts'
import { behind, newestFirst, type PageRequest } from '#server/records/paging.ts'
import type { Ownership } from '#server/records/policy.ts'
import { matches, searchText, searchTextWith } from '#server/records/search-text.ts'

/** The notes of a company of the enclosing query. */
const itsNotes = sql`${notes.companyId} = ${companies.id}`

const columnsFor = (caller: Account) => ({
  id: companies.id,
  name: companies.name,
  website: companies.website,
  description: companies.description,
  linkedIn: companies.linkedIn,
  notes: companies.notes,
  rating: companies.rating,
  createdBy: creatorLabel(companies),
  createdAt: companies.createdAt,
  additionalInfo: companies.additionalInfo,
  enrichment: companies.enrichment,
  version: companies.version,
  notesCount: companies.notesCount,
  notesPreview: notesPreview(itsNotes),
  ownerId: ownerOf(companies),
  isNoted: isNotedBy(caller, itsNotes),
})

/** A company as the database has it for one caller: with its creator, its newest notes, and what decides about rights. */
export type CompanyRow = Omit<
  typeof companies.$inferSelect,
  'searchText' | 'creatorId' | 'creatorText' | 'domainKey' | 'lookedUpAt'
> &
  Ownership & { createdBy: string | null; notesPreview: Note[] }

/** `website` is an address in any of its spellings; one that is no company's own finds nothing. */
export type CompanyFilter = { search?: string | undefined; website?: string | undefined; mine?: boolean }

const filtered = (caller: Account, { search, website, mine }: CompanyFilter): SQL | undefined =>
  and(
    website === undefined ? undefined : eq(companies.domainKey, domain(website) ?? ''),
    search ? matches(companies.searchText, search) : undefined,
    mine ? isMine(companies, isNotedBy(caller, itsNotes), caller) : undefined,
  )

/** A page, newest first, with one row more than asked for when there is a next one. */
export function listCompanies(
  db: Database,
  caller: Account,
  filter: CompanyFilter,
  { limit, after }: PageRequest,
): Promise<CompanyRow[]> {
  return db
    .select(columnsFor(caller))
    .from(companies)
    .leftJoin(accounts, eq(accounts.id, companies.creatorId))
    .where(and(filtered(caller, filter), behind(companies, after)))
    .orderBy(...newestFirst(companies))
    .limit(limit + 1)
}

/** How many companies a filter finds; counts no further than one past `COUNT_MAX`. */
export async function countCompanies(db: Database, caller: Account, filter: CompanyFilter): Promise<number> {
  const some = db
    .select({ one: sql`1` })
    .from(companies)
    .where(filtered(caller, filter))
    .limit(COUNT_MAX + 1)
    .as('some')
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(some)
  return row?.count ?? 0
}

/** How many companies there are, from the tallies: exact, and no dearer when there are more. */
export async function countAllCompanies(db: Database): Promise<number> {
  const [row] = await db.select({ count: sql<number>`coalesce(sum(${tallies.companies}), 0)::int` }).from(tallies)
  return row?.count ?? 0
}

export async function getCompany(db: Database, caller: Account, id: string): Promise<CompanyRow | undefined> {
  const [row] = await db
    .select(columnsFor(caller))
    .from(companies)
    .leftJoin(accounts, eq(accounts.id, companies.creatorId))
    .where(eq(companies.id, id))
  return row
}

/** How many notes a company has; undefined when there is no such company. */
export async function getCompanyNotesCount(db: Database, id: string): Promise<number | undefined> {
  const [row] = await db.select({ count: companies.notesCount }).from(companies).where(eq(companies.id, id))
  return row?.count
}

export async function createCompany(db: Database, creator: Account, input: CompanyInput): Promise<CompanyRow> {
  const [row] = await db
    .insert(companies)
    .values({
      id: uuidv7(),
      name: input.name,
      website: input.website || null,
      domainKey: input.website ? domain(input.website) : null,
      description: input.description || null,
      notes: input.notes,
      rating: input.rating,
      creatorId: creator.id,
      // Name, own notes: what companies are searched by.
      searchText: searchText([input.name, input.notes]),
    })
    .returning()
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
    .where(and(eq(companies.id, company.id), version === undefined ? undefined : eq(companies.version, version)))
    .returning({ notes: companies.notes, rating: companies.rating, version: companies.version })
  return row && { ...company, notes: row.notes, rating: row.rating, version: row.version }
}

export async function deleteCompany(db: Database, id: string): Promise<void> {
  await db.delete(companies).where(eq(companies.id, id))
}
