import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { givenIds, isAmong, preparedRows } from '#server/db/prepared.ts'
import { accounts, counters, recordMembers, records } from '#server/db/schema.ts'
import { newest } from '#server/records/cursor.ts'
import { isOfKind, preparedOfKind, type RecordKind } from '#server/records/kind.ts'
import { lastBeforeNext, newestIds, orderOf, type PageRequest, positionValues } from '#server/records/paging.ts'
import { absenceOf, countRecords, getKindOf } from '#server/records/store.ts'
import { complete } from './complete.ts'
import { isUnfiltered, type RecordQuery } from './query.ts'
import { columnsFor, type RecordRow } from './row.ts'
import { scan, searchRecords } from './search.ts'

const recordsAmong = (name: string, idsOf: (kind: Pick<RecordKind, 'name'>) => SQL) =>
  preparedOfKind((db, kind) => {
    const columns = columnsFor(sql.placeholder('callerId'))
    const rows = db
      .select(columns)
      .from(records)
      .leftJoin(accounts, eq(accounts.id, records.creatorId))
      .where(and(isAmong(records.id, idsOf(kind)), isOfKind(records.kind, kind)))
      .orderBy(...orderOf(newest, records))
    return preparedRows(db, `${kind.name}_${name}`, columns, rows)
  })

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
export const getRecords = async (
  db: Database,
  kind: RecordKind,
  caller: Account,
  ids: string[],
): Promise<RecordRow[]> => complete(db, await recordsById(db, kind).execute({ callerId: caller.id, ids }))

/** The same in the order of the ids. */
async function getInOrder(db: Database, kind: RecordKind, caller: Account, ids: string[]): Promise<RecordRow[]> {
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ id }: RecordRow) => places.get(id) ?? 0
  return (await getRecords(db, kind, caller, ids)).sort((a, b) => placeOf(a) - placeOf(b))
}

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
  const kind = await getKindOf(db, kinds, id)
  return { kind, record: await getRecord(db, kind, caller, id) }
}

/** A page, the position of the last row that was found for it when there is a next page, and the total if known. */
export async function listRecords(
  db: Database,
  kind: RecordKind,
  caller: Account,
  query: RecordQuery,
  page: PageRequest,
): Promise<{ rows: RecordRow[]; next: PageRequest['after']; total?: string | undefined }> {
  const { filters, sort } = query
  if (!isUnfiltered(query)) {
    const count = await countRecords(db, kind)
    const { total, ...found } = await searchRecords(db, { kind, query, count, ...page })
    // What is found after a page is no total.
    return { ...(await pageOf(db, kind, caller, found, page)), total: page.after === undefined ? total : undefined }
  }
  const newestRows = filters.mine ? newestOfMember : newestRecords
  const first = { callerId: caller.id, rows: page.limit + 1, ...positionValues(page.after) }
  const [found, total] = await Promise.all([
    sort.name === 'newest'
      ? newestRows(db, kind)
          .execute(first)
          .then(async (stored) => ({
            rows: await complete(db, stored.slice(0, page.limit)),
            next: lastBeforeNext(stored, page.limit),
          }))
      : scan(db, { kind, query, ...page }).then((found) => pageOf(db, kind, caller, found, page)),
    filters.mine ? countMine(db, kind, caller) : countRecords(db, kind),
  ])
  return { ...found, total: String(total) }
}

/** A found record may be gone by now, and is left out. */
async function pageOf(
  db: Database,
  kind: RecordKind,
  caller: Account,
  { ids, next }: { ids: string[]; next: PageRequest['after'] },
  { limit }: Pick<PageRequest, 'limit'>,
) {
  return { rows: await getInOrder(db, kind, caller, ids.slice(0, limit)), next }
}

/** The newest records of each kind. */
export async function listNewestRecords(
  db: Database,
  kinds: readonly RecordKind[],
  caller: Account,
  count: number,
): Promise<RecordRow[][]> {
  const first = { callerId: caller.id, rows: count, ...positionValues() }
  const stored = await Promise.all(kinds.map((kind) => newestRecords(db, kind).execute(first)))
  const rows = await complete(db, stored.flat())
  return stored.map(({ length }) => rows.splice(0, length))
}

async function countMine(db: Database, kind: RecordKind, caller: Account): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`coalesce(sum(${counters.mine}), 0)::int` })
    .from(counters)
    .where(and(eq(counters.creatorId, caller.id), isOfKind(counters.kind, kind)))
  return row?.count ?? 0
}
