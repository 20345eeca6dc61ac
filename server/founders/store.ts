import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { FounderInput, FounderPatch } from '#contract/founder.ts'
import type { Note } from '#contract/note.ts'
import type { Account, Caller } from '#server/auth/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { givenIds, isAmong, prepared } from '#server/db/prepared.ts'
import { accounts, founderFellows, founders, notes, tallies } from '#server/db/schema.ts'
import { type Actor, actingAs, idOfActing } from '#server/history/acting.ts'
import { notesPreview } from '#server/notes/store.ts'
import { creatorLabel } from '#server/records/creator.ts'
import { linkedInPerson } from '#server/records/keys.ts'
import { pickPage } from '#server/records/listing.ts'
import type { Many } from '#server/records/many.ts'
import { newId, type Once } from '#server/records/once.ts'
import { countLabel, newestFirst, newestIds, type PageRequest, placeValues } from '#server/records/paging.ts'
import type { Ownership } from '#server/records/policy.ts'
import type { Searched } from '#server/records/search.ts'
import { searchText, searchTextWith } from '#server/records/search-text.ts'

const own = {
  id: founders.id,
  name: founders.name,
  linkedIn: founders.linkedIn,
  notes: founders.notes,
  rating: founders.rating,
  createdAt: founders.createdAt,
  additionalInfo: founders.additionalInfo,
  enrichment: founders.enrichment,
  version: founders.version,
  notesCount: founders.notesCount,
}

/** The fellows of a founder of the enclosing query: its owner, and who has noted it. */
const itsFellows = sql`${founderFellows} where ${founderFellows.founderId} = ${founders.id}`

const columnsFor = (callerId: string | Placeholder) => ({
  ...own,
  createdBy: creatorLabel(founders),
  notesPreview: notesPreview(sql`${notes.founderId} = ${founders.id}`),
  ownerId: sql<string | null>`coalesce(${founders.creatorId}, (
    select ${founderFellows.accountId} from ${itsFellows} and ${founderFellows.isOwner}
  ))`,
  // Not `exists`, which PostgreSQL may answer by reading all that the caller has noted.
  isNoted: sql<boolean>`coalesce((
    select ${founderFellows.notesCount} > 0 from ${itsFellows} and ${founderFellows.accountId} = ${callerId}
  ), false)`,
})

/** A founder as the database has it for one caller: with its creator, its newest notes, and what decides about rights. */
export type FounderRow = Pick<typeof founders.$inferSelect, keyof typeof own> &
  Ownership & { createdBy: string | null; notesPreview: Note[] }

/** `linkedIn` is an address in any of its spellings; one that is no person's finds nothing. */
export type FounderFilter = { search?: string | undefined; linkedIn?: string | undefined; mine?: boolean }

/** What places a founder in My Records. */
const placedOfFellow = { createdAt: founderFellows.createdAt, id: founderFellows.founderId }

/** Where founders are searched: in the table, or in what is kept of My Records. */
function listed(caller: Account, { linkedIn, mine }: FounderFilter): Searched {
  const withKey = linkedIn === undefined ? undefined : eq(founders.linkedInKey, linkedInPerson(linkedIn) ?? '')
  if (!mine) return { table: founders, from: sql`${founders}`, where: withKey, placed: founders }
  return {
    table: founders,
    from: sql`${founderFellows} join ${founders} on ${founders.id} = ${founderFellows.founderId}`,
    where: and(eq(founderFellows.accountId, caller.id), withKey),
    placed: placedOfFellow,
  }
}

/** A page, newest first, with one row more than asked for when there is a next one; and how many there are in all. */
export async function listFounders(
  db: Database,
  caller: Account,
  filter: FounderFilter,
  page: PageRequest,
  many: Many,
): Promise<{ rows: FounderRow[]; total: string }> {
  const scope = JSON.stringify(['founders', filter.linkedIn, filter.mine && caller.id])
  const search = filter.search ? { term: filter.search, scope, many } : undefined
  // A plain list is one statement; of any other the ids are found first.
  const isPicked = search !== undefined || filter.linkedIn !== undefined
  const picked = isPicked ? await pickPage(db, listed(caller, filter), search, page) : undefined
  const [rows, total] = await Promise.all([
    picked ? getFounders(db, caller, picked.ids) : getNewestFounders(db, caller, filter.mine, page),
    picked?.matched === undefined ? countFounders(db, caller, filter).then(String) : countLabel(picked.matched),
  ])
  return { rows, total }
}

export const listNewestFounders = (db: Database, caller: Account, count: number): Promise<FounderRow[]> =>
  newestFounders(db).execute({ callerId: caller.id, rows: count, ...placeValues() })

/** How many founders there are without a search: exact, and no dearer when there are more. */
async function countFounders(db: Database, caller: Account, filter: FounderFilter): Promise<number> {
  if (filter.linkedIn === undefined) return filter.mine ? countMyFounders(db, caller) : countAllFounders(db)
  const { from, where } = listed(caller, filter)
  const [row] = await rowsOf<{ count: number }>(db, sql`select count(*)::int as count from ${from} where ${where}`)
  return row?.count ?? 0
}

const allFounders = prepared((db) =>
  db
    .select({ count: sql<number>`coalesce(sum(${tallies.founders}), 0)::int` })
    .from(tallies)
    .prepare('all_founders'),
)

export async function countAllFounders(db: Database): Promise<number> {
  const [row] = await allFounders(db).execute()
  return row?.count ?? 0
}

async function countMyFounders(db: Database, caller: Account): Promise<number> {
  const [row] = await db.select({ count: tallies.myFounders }).from(tallies).where(eq(tallies.creatorId, caller.id))
  return row?.count ?? 0
}

const foundersAmong = (name: string, ids: SQL) =>
  prepared((db) =>
    db
      .select(columnsFor(sql.placeholder('callerId')))
      .from(founders)
      .leftJoin(accounts, eq(accounts.id, founders.creatorId))
      .where(isAmong(founders.id, ids))
      .orderBy(...newestFirst(founders))
      .prepare(name),
  )

const foundersById = foundersAmong('founders_by_id', givenIds('ids'))

const getFounders = (db: Database, caller: Account, ids: string[]): Promise<FounderRow[]> =>
  foundersById(db).execute({ callerId: caller.id, ids })

const newestFounders = foundersAmong('newest_founders', newestIds(sql`${founders}`, founders))
const newestOfCaller = foundersAmong(
  'newest_founders_of_fellow',
  newestIds(sql`${founderFellows}`, placedOfFellow, eq(founderFellows.accountId, sql.placeholder('callerId'))),
)

/** A page of all founders or of My Records, in one statement. */
const getNewestFounders = (db: Database, caller: Account, mine: boolean | undefined, { limit, after }: PageRequest) =>
  (mine ? newestOfCaller : newestFounders)(db).execute({ callerId: caller.id, rows: limit + 1, ...placeValues(after) })

export async function getFounder(db: Database, caller: Account, id: string): Promise<FounderRow | undefined> {
  const [row] = await getFounders(db, caller, [id])
  return row
}

const notesCountOf = prepared((db) =>
  db
    .select({ count: founders.notesCount })
    .from(founders)
    .where(eq(founders.id, sql.placeholder('id')))
    .prepare('notes_count_of_founder'),
)

/** How many notes a founder has; undefined when there is no such founder. */
export async function getFounderNotesCount(db: Database, id: string): Promise<number | undefined> {
  const [row] = await notesCountOf(db).execute({ id })
  return row?.count
}

export async function createFounder(
  db: Database,
  creator: Caller,
  input: FounderInput,
  once?: Once,
): Promise<FounderRow> {
  const [row] = await db
    .insert(founders)
    .values({
      id: newId(once),
      name: input.name,
      linkedIn: input.linkedIn,
      linkedInKey: linkedInPerson(input.linkedIn),
      notes: input.notes,
      rating: input.rating,
      creatorId: idOfActing(creator),
      // Name, own notes, current company: what founders are searched by. Nobody has asked for the company yet.
      searchText: searchText([input.name, input.notes, '']),
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

/** Changes notes and rating. Undefined, and nothing changed, when the founder is gone or no longer at `version`. */
export async function updateFounder(
  db: Database,
  editor: Actor,
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
    .where(
      and(
        eq(founders.id, founder.id),
        version === undefined ? undefined : eq(founders.version, version),
        actingAs(editor),
      ),
    )
    .returning({ notes: founders.notes, rating: founders.rating, version: founders.version })
  return row && { ...founder, notes: row.notes, rating: row.rating, version: row.version }
}

export async function deleteFounder(db: Database, actor: Actor, id: string): Promise<void> {
  await db.delete(founders).where(and(eq(founders.id, id), actingAs(actor)))
}
