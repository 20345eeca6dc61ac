import { and, eq, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { counters, records } from '#server/db/schema.ts'
import { type AppError, MergedAway, notFound } from '#server/http/errors.ts'
import { isOfKind, mergedKind, preparedOfKind, type RecordKind } from './kind.ts'

// What features ask about a record whose values they do not need. `lists/` reads those.

/** The kind of the record with this id. Throws the refusal for a record that is gone or merged away. */
export async function getKindOf<Kind extends RecordKind>(
  db: Database,
  kinds: readonly Kind[],
  id: string,
): Promise<Kind> {
  const [row] = await db
    .select({ kind: sql<string>`${records.kind}` })
    .from(records)
    .where(eq(records.id, id))
  const kind = kinds.find((kind) => row?.kind === kind.name || row?.kind === mergedKind(kind).name)
  if (kind === undefined) throw notFound('There is no record with this id')
  if (row?.kind !== kind.name) throw await absenceOf(db, kind, id)
  return kind
}

/** The reason why there is no record of the kind with this id: it was merged into another one, or does not exist. */
export async function absenceOf(db: Database, { name }: Pick<RecordKind, 'name'>, id: string): Promise<AppError> {
  const [merged] = await rowsOf<{ survivorId: string }>(
    db,
    sql`select merged_root(id) as "survivorId" from ${records}
      where id = ${id} and ${isOfKind(records.kind, mergedKind({ name }))}`,
  )
  return merged ? new MergedAway(id, merged.survivorId) : notFound(`There is no ${name} with this id`)
}

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

/** What every call on one record refuses, for the heads of their routes. */
export const RECORD_REFUSALS = [notFound('There is no record with this id'), new MergedAway('', '')]
