import { and, eq, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { FounderInput, FounderPatch } from '#contract/founder.ts'
import type { Note } from '#contract/note.ts'
import { COUNT_MAX } from '#contract/record.ts'
import type { Account } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, founders, notes, tallies } from '#server/db/schema.ts'
import { isNotedBy, notesPreview } from '#server/notes/store.ts'
import { creatorLabel, isMine, ownerOf } from '#server/records/creator.ts'
import { linkedInPerson } from '#server/records/keys.ts'
import { behind, newestFirst, type PageRequest } from '#server/records/paging.ts'
import type { Ownership } from '#server/records/policy.ts'
import { matches, searchText, searchTextWith } from '#server/records/search-text.ts'

/** The notes of a founder of the enclosing query. */
const itsNotes = sql`${notes.founderId} = ${founders.id}`

const columnsFor = (caller: Account) => ({
  id: founders.id,
  name: founders.name,
  linkedIn: founders.linkedIn,
  notes: founders.notes,
  rating: founders.rating,
  createdBy: creatorLabel(founders),
  createdAt: founders.createdAt,
  additionalInfo: founders.additionalInfo,
  enrichment: founders.enrichment,
  version: founders.version,
  notesCount: founders.notesCount,
  notesPreview: notesPreview(itsNotes),
  ownerId: ownerOf(founders),
  isNoted: isNotedBy(caller, itsNotes),
})

/** A founder as the database has it for one caller: with its creator, its newest notes, and what decides about rights. */
export type FounderRow = Omit<
  typeof founders.$inferSelect,
  'searchText' | 'creatorId' | 'creatorText' | 'linkedInKey' | 'lookedUpAt'
> &
  Ownership & { createdBy: string | null; notesPreview: Note[] }

/** `linkedIn` is an address in any of its spellings; one that is no person's finds nothing. */
export type FounderFilter = { search?: string | undefined; linkedIn?: string | undefined; mine?: boolean }

const filtered = (caller: Account, { search, linkedIn, mine }: FounderFilter): SQL | undefined =>
  and(
    linkedIn === undefined ? undefined : eq(founders.linkedInKey, linkedInPerson(linkedIn) ?? ''),
    search ? matches(founders.searchText, search) : undefined,
    mine ? isMine(founders, isNotedBy(caller, itsNotes), caller) : undefined,
  )

/** A page, newest first, with one row more than asked for when there is a next one. */
export function listFounders(
  db: Database,
  caller: Account,
  filter: FounderFilter,
  { limit, after }: PageRequest,
): Promise<FounderRow[]> {
  return db
    .select(columnsFor(caller))
    .from(founders)
    .leftJoin(accounts, eq(accounts.id, founders.creatorId))
    .where(and(filtered(caller, filter), behind(founders, after)))
    .orderBy(...newestFirst(founders))
    .limit(limit + 1)
}

/** How many founders a filter finds; counts no further than one past `COUNT_MAX`. */
export async function countFounders(db: Database, caller: Account, filter: FounderFilter): Promise<number> {
  const some = db
    .select({ one: sql`1` })
    .from(founders)
    .where(filtered(caller, filter))
    .limit(COUNT_MAX + 1)
    .as('some')
  const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(some)
  return row?.count ?? 0
}

/** How many founders there are, from the tallies: exact, and no dearer when there are more. */
export async function countAllFounders(db: Database): Promise<number> {
  const [row] = await db.select({ count: sql<number>`coalesce(sum(${tallies.founders}), 0)::int` }).from(tallies)
  return row?.count ?? 0
}

export async function getFounder(db: Database, caller: Account, id: string): Promise<FounderRow | undefined> {
  const [row] = await db
    .select(columnsFor(caller))
    .from(founders)
    .leftJoin(accounts, eq(accounts.id, founders.creatorId))
    .where(eq(founders.id, id))
  return row
}

/** How many notes a founder has; undefined when there is no such founder. */
export async function getFounderNotesCount(db: Database, id: string): Promise<number | undefined> {
  const [row] = await db.select({ count: founders.notesCount }).from(founders).where(eq(founders.id, id))
  return row?.count
}

export async function createFounder(db: Database, creator: Account, input: FounderInput): Promise<FounderRow> {
  const [row] = await db
    .insert(founders)
    .values({
      id: uuidv7(),
      name: input.name,
      linkedIn: input.linkedIn,
      linkedInKey: linkedInPerson(input.linkedIn),
      notes: input.notes,
      rating: input.rating,
      creatorId: creator.id,
      // Name, own notes, current company: what founders are searched by. Nobody has asked for the company yet.
      searchText: searchText([input.name, input.notes, '']),
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

/** Changes notes and rating. Undefined, and nothing changed, when the founder is gone or no longer at `version`. */
export async function updateFounder(
  db: Database,
  founder: FounderRow,
  { notes, rating, version }: FounderPatch,
): Promise<FounderRow | undefined> {
  const [row] = await db
    .update(founders)
    .set({
      ...(notes !== undefined && {
        notes,
        searchText: searchTextWith(founders.searchText, [undefined, notes, undefined]),
      }),
      ...(rating !== undefined && { rating }),
      version: sql`${founders.version} + 1`,
    })
    .where(and(eq(founders.id, founder.id), version === undefined ? undefined : eq(founders.version, version)))
    .returning({ notes: founders.notes, rating: founders.rating, version: founders.version })
  return row && { ...founder, notes: row.notes, rating: row.rating, version: row.version }
}

export async function deleteFounder(db: Database, id: string): Promise<void> {
  await db.delete(founders).where(eq(founders.id, id))
}
