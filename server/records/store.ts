import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { RecordPatch } from '#contract/record.ts'
import { type Actor, changeAs } from '#server/audit-log/actor.ts'
import type { Account, Caller } from '#server/auth/session.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { givenIds, isAmong } from '#server/db/prepared.ts'
import { accounts, counters, recordMembers, records } from '#server/db/schema.ts'
import { type AppError, MergedAway, notFound } from '#server/http/errors.ts'
import { type IdempotencyKey, newId } from '#server/http/idempotency.ts'
import { newest } from './cursor.ts'
import { fieldsOf, withKey } from './fields.ts'
import { type Fields, isOfKind, mergedKind, preparedOfKind, type RecordKind } from './kind.ts'
import { isAfter, newestIds, orderOf, type PageRequest, positionValues } from './paging.ts'
import type { RecordQuery } from './query.ts'
import { columnsFor, ownColumns, type RecordRow } from './row.ts'
import { searchRecords } from './search.ts'
import { changedSearchText, searchText } from './search-text.ts'

const recordsAmong = (name: string, idsOf: (kind: Pick<RecordKind, 'name'>) => SQL) =>
  preparedOfKind((db, kind) =>
    db
      .select(columnsFor(sql.placeholder('callerId')))
      .from(records)
      .leftJoin(accounts, eq(accounts.id, records.creatorId))
      .where(and(isAmong(records.id, idsOf(kind)), isOfKind(records.kind, kind)))
      .orderBy(...orderOf(newest, records))
      .prepare(`${kind.name}_${name}`),
  )

const recordsById = recordsAmong('by_ids', () => givenIds('ids'))
const newestRecords = recordsAmong('newest', (kind) => newestIds(records, records, isOfKind(records.kind, kind)))
const newestOfMember = recordsAmong('newest_of_member', (kind) =>
  newestIds(
    recordMembers,
    { createdAt: recordMembers.createdAt, id: recordMembers.recordId },
    and(eq(recordMembers.accountId, sql.placeholder('callerId')), isOfKind(recordMembers.kind, kind)),
  ),
)

/** The records among these ids that exist, newest first. */
export const getRecords = (db: Database, kind: RecordKind, caller: Account, ids: string[]): Promise<RecordRow[]> =>
  recordsById(db, kind).execute({ callerId: caller.id, ids })

export async function getRecord(db: Database, kind: RecordKind, caller: Account, id: string): Promise<RecordRow> {
  const [row] = await getRecords(db, kind, caller, [id])
  if (row === undefined) throw await absenceOf(db, kind, id)
  return row
}

/** The record of any kind with this id. */
export async function getRecordOfAny<Kind extends RecordKind>(
  db: Database,
  kinds: readonly Kind[],
  caller: Account,
  id: string,
): Promise<{ kind: Kind; record: RecordRow }> {
  const [row] = await db
    .select({ kind: sql<string>`${records.kind}` })
    .from(records)
    .where(eq(records.id, id))
  const kind = kinds.find((kind) => row?.kind === kind.name || row?.kind === mergedKind(kind).name)
  if (kind === undefined) throw notFound('There is no record with this id')
  return { kind, record: await getRecord(db, kind, caller, id) }
}

/** The reason why there is no record of the kind with this id: it was merged into another one, or does not exist. */
async function absenceOf(db: Database, { name }: Pick<RecordKind, 'name'>, id: string): Promise<AppError> {
  const [merged] = await rowsOf<{ survivorId: string }>(
    db,
    sql`select merged_root(id) as "survivorId" from ${records}
      where id = ${id} and ${isOfKind(records.kind, mergedKind({ name }))}`,
  )
  return merged ? new MergedAway(id, merged.survivorId) : notFound(`There is no ${name} with this id`)
}

/** A page, newest first, with one extra row when there is a next page, and the total if known. */
export async function listRecords(
  db: Database,
  kind: RecordKind,
  caller: Account,
  query: RecordQuery,
  page: PageRequest,
): Promise<{ rows: RecordRow[]; total: string }> {
  const { filters, search } = query
  if (search !== undefined) {
    const count = await countRecords(db, kind)
    const { ids, total } = await searchRecords(db, { kind, query: { ...query, search }, count, ...page })
    return { rows: await getRecords(db, kind, caller, ids), total }
  }
  if (filters.condition) return listFiltered(db, kind, caller, query, page)
  const newestRows = filters.mine ? newestOfMember : newestRecords
  const [rows, total] = await Promise.all([
    newestRows(db, kind).execute({ callerId: caller.id, rows: page.limit + 1, ...positionValues(page.after) }),
    filters.mine ? countMine(db, kind, caller) : countRecords(db, kind),
  ])
  return { rows, total: String(total) }
}

const isMember = (accountId: string) => sql`exists (
  select from ${recordMembers} where ${recordMembers.recordId} = ${records.id} and ${recordMembers.accountId} = ${accountId}
)`

async function listFiltered(
  db: Database,
  kind: RecordKind,
  caller: Account,
  { filters: { mine, condition }, sort }: RecordQuery,
  { limit, after }: PageRequest,
) {
  const where = and(isOfKind(records.kind, kind), condition, mine === undefined ? undefined : isMember(mine))
  const [ids, total] = await Promise.all([
    db
      .select({ id: records.id })
      .from(records)
      .where(and(where, isAfter(sort, records, after)))
      .orderBy(...orderOf(sort, records))
      .limit(limit + 1),
    db.$count(records, where),
  ])
  const rows = await getRecords(
    db,
    kind,
    caller,
    ids.map(({ id }) => id),
  )
  return { rows, total: String(total) }
}

export const listNewestRecords = (
  db: Database,
  kind: RecordKind,
  caller: Account,
  count: number,
): Promise<RecordRow[]> => newestRecords(db, kind).execute({ callerId: caller.id, rows: count, ...positionValues() })

const added = preparedOfKind((db, kind) =>
  db
    .select({ count: sql<number>`coalesce(sum(${counters.added}), 0)::int` })
    .from(counters)
    .where(isOfKind(counters.kind, kind))
    .prepare(`${kind.name}_count`),
)

/** The exact number of records of a kind, at a cost that does not grow with it. */
export async function countRecords(db: Database, kind: Pick<RecordKind, 'name'>): Promise<number> {
  const [row] = await added(db, kind).execute()
  return row?.count ?? 0
}

async function countMine(db: Database, kind: RecordKind, caller: Account): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`coalesce(sum(${counters.mine}), 0)::int` })
    .from(counters)
    .where(and(eq(counters.creatorId, caller.id), isOfKind(counters.kind, kind)))
  return row?.count ?? 0
}

const notesCounts = preparedOfKind((db, kind) =>
  db
    .select({ count: records.notesCount })
    .from(records)
    .where(and(eq(records.id, sql.placeholder('id')), isOfKind(records.kind, kind)))
    .prepare(`${kind.name}_notes_count`),
)

/** The number of notes of a record. Throws the 404 for a record that does not exist. */
export async function getNotesCount(db: Database, kind: RecordKind, id: string): Promise<number> {
  const [row] = await notesCounts(db, kind).execute({ id })
  if (row === undefined) throw await absenceOf(db, kind, id)
  return row.count
}

export async function createRecord<Input extends Fields>(
  db: Database,
  kind: RecordKind<Input>,
  creator: Caller,
  input: Input,
  key?: IdempotencyKey,
): Promise<RecordRow> {
  const fields = fieldsOf(kind, input)
  const [row] = await changeAs(db, creator, (tx) =>
    tx
      .insert(records)
      .values({
        // The contract and the table's constraints enforce which fields a kind requires.
        ...(withKey(kind, fields) as typeof records.$inferInsert),
        id: newId(key),
        kind: kind.name,
        creatorId: creator.id,
        searchText: searchText(kind.searched, fields),
      })
      .returning(ownColumns),
  )
  if (row === undefined) throw new Error('An insert returned no row')
  const ownership = { ownerId: creator.id, isMember: true, hasManager: false }
  return { ...row, ...ownership, createdBy: creator.name || creator.email, notesPreview: [] }
}

/** Undefined, without a change, when the record is gone or no longer at the patch's `version`. */
export async function updateRecord(
  db: Database,
  kind: RecordKind,
  editor: Actor,
  record: RecordRow,
  patch: RecordPatch,
): Promise<RecordRow | undefined> {
  const fields = { ...fieldsOf(kind, patch), ...(patch.rating !== undefined && { isRated: true }) }
  const [row] = await changeAs(db, editor, (tx) =>
    tx
      .update(records)
      .set({ ...changesOf(kind, fields), version: sql`${records.version} + 1` })
      .where(
        and(
          eq(records.id, record.id),
          isOfKind(records.kind, kind),
          patch.version === undefined ? undefined : eq(records.version, patch.version),
        ),
      )
      .returning(ownColumns),
  )
  return row && { ...record, ...row }
}

/** The columns to set for a change of fields, including derived ones. `info` holds enriched values. */
export function changesOf(kind: RecordKind, fields: Fields, info: object = {}) {
  const changed = changedSearchText(kind.searched, { ...info, ...fields })
  return { ...withKey(kind, fields), ...(changed && { searchText: changed }) }
}

/** False, without a deletion, when the record is gone, or a merge or an undo has changed who may delete it. */
export async function deleteRecord(
  db: Database,
  kind: RecordKind,
  actor: Actor,
  { id, isUnited }: Pick<RecordRow, 'id' | 'isUnited'>,
): Promise<boolean> {
  const deleted = await changeAs(db, actor, (tx) =>
    tx
      .delete(records)
      .where(and(eq(records.id, id), isOfKind(records.kind, kind), eq(records.isUnited, isUnited)))
      .returning({ id: records.id }),
  )
  return deleted.length > 0
}
