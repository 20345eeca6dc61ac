import { and, desc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Fault, ImportOutcome, ImportState } from '#contract/import.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts, importRows, imports } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import { notFound } from '#server/http/errors.ts'
import { newest, type Sort } from '#server/records/cursor.ts'
import { isAfter, orderOf, type PageRequest } from '#server/records/paging.ts'
import type { HasRole } from '#server/rights.ts'

// Imports and their rows.

export type ImportRecord = typeof imports.$inferSelect & { by: string; uploader: HasRole }
export type ImportRowRecord = typeof importRows.$inferSelect

/** What a token has uploaded has the rights of the token. */
const actingRole = sql<HasRole['role']>`case when ${imports.tokenId} is null then ${accounts.role} else 'token' end`

const known = (db: Database) =>
  db
    .select({
      id: imports.id,
      accountId: imports.accountId,
      fileName: imports.fileName,
      state: imports.state,
      kind: imports.kind,
      dialect: imports.dialect,
      columns: imports.columns,
      mapping: imports.mapping,
      bytes: imports.bytes,
      inspection: imports.inspection,
      rest: imports.rest,
      cells: imports.cells,
      dates: imports.dates,
      doubts: imports.doubts,
      choices: imports.choices,
      createTags: imports.createTags,
      unmatched: imports.unmatched,
      createdTags: imports.createdTags,
      stateAfterAdding: imports.stateAfterAdding,
      duplicates: imports.duplicates,
      counts: imports.counts,
      done: imports.done,
      total: imports.total,
      lastRow: imports.lastRow,
      error: imports.error,
      startedAt: imports.startedAt,
      revertedAt: imports.revertedAt,
      step: imports.step,
      attempts: imports.attempts,
      furthestRow: imports.furthestRow,
      workedAt: imports.workedAt,
      deletedAt: imports.deletedAt,
      createdAt: imports.createdAt,
      by: shownName(),
      tokenId: imports.tokenId,
      uploader: { role: actingRole },
    })
    .from(imports)
    .innerJoin(accounts, eq(accounts.id, imports.accountId))

export async function findImport(db: Database, id: string): Promise<ImportRecord | undefined> {
  const [row] = await known(db).where(and(eq(imports.id, id), isNull(imports.deletedAt)))
  return row
}

/** Throws the 404 for an unknown import. */
export async function getImport(db: Database, id: string): Promise<ImportRecord> {
  const row = await findImport(db, id)
  if (row === undefined) throw notFound('There is no import with this id')
  return row
}

/** Like `findImport`, and locks it until the transaction ends. */
export async function lockImport(tx: Database, id: string): Promise<ImportRecord | undefined> {
  await tx.select({ id: imports.id }).from(imports).where(eq(imports.id, id)).for('update')
  return findImport(tx, id)
}

/** A page of the imports of an account or of all, newest first, with one extra row when there is a next page. */
export const listImports = (
  db: Database,
  accountId: string | 'all',
  { limit, after }: PageRequest,
): Promise<ImportRecord[]> =>
  known(db)
    .where(
      and(
        accountId === 'all' ? undefined : eq(imports.accountId, accountId),
        isNull(imports.deletedAt),
        isAfter(newest, imports, after),
      ),
    )
    .orderBy(...orderOf(newest, imports))
    .limit(limit + 1)

export async function updateImport(
  db: Database,
  id: string,
  values: Partial<typeof imports.$inferInsert>,
): Promise<void> {
  await db.update(imports).set(values).where(eq(imports.id, id))
}

/** The step is no longer this one's: it was cancelled, or another process has taken over its job. */
export class TakenOver extends Error {}

const IN_PROGRESS: ImportState[] = ['reading', 'running', 'reverting']

/** Saves the progress of a step, unless the step has ended or its progress is no longer `from`. */
export async function advance(
  tx: Database,
  { id, step }: Pick<ImportRecord, 'id' | 'step'>,
  { from, to }: { from: number; to: Partial<typeof imports.$inferInsert> },
): Promise<void> {
  const saved = await tx
    .update(imports)
    .set({ workedAt: new Date(), ...to })
    .where(
      and(
        eq(imports.id, id),
        eq(imports.step, step),
        eq(imports.done, from),
        inArray(imports.state, IN_PROGRESS),
        isNull(imports.deletedAt),
      ),
    )
    .returning({ id: imports.id })
  if (saved.length === 0) throw new TakenOver('This step has ended, or another process works on it')
}

/** As in the partial index, and as `isMarked`. */
const areMarked = sql`((${importRows.outcome} in ('created', 'updated') and ${importRows.faults} <> '[]')
  or (${importRows.outcome} = 'duplicate' and ${importRows.hasMore}))`

/** A row that is imported with a sentence, or a duplicate with values that its record lacks. */
const isMarked = ({ outcome, faults = [], hasMore = false }: Counted): boolean =>
  outcome === 'duplicate' ? hasMore : (outcome === 'created' || outcome === 'updated') && faults.length > 0

/** The order of the file. */
export const fileOrder = { name: 'file', direction: 'asc', columns: { row: 'number' } } as const satisfies Sort

/** A page of the rows of an import, with one extra row when there is a next page. */
export const listRows = (
  db: Database,
  importId: string,
  { outcome, isOnlyMarked }: { outcome?: ImportOutcome | undefined; isOnlyMarked?: boolean },
  { limit, after }: PageRequest<typeof fileOrder>,
): Promise<ImportRowRecord[]> =>
  db
    .select()
    .from(importRows)
    .where(
      and(
        eq(importRows.importId, importId),
        isAfter(fileOrder, importRows, after),
        outcome && eq(importRows.outcome, outcome),
        isOnlyMarked ? areMarked : undefined,
      ),
    )
    .orderBy(...orderOf(fileOrder, importRows))
    .limit(limit + 1)

/** Rows that were added and are not created yet. Each has another outcome afterwards, so the next batch is the rest. */
export const listAddedRows = (db: Database, importId: string, limit: number): Promise<ImportRowRecord[]> =>
  db
    .select()
    .from(importRows)
    .where(
      and(eq(importRows.importId, importId), inArray(importRows.outcome, ['maybe', 'duplicate']), importRows.isAdded),
    )
    .orderBy(importRows.row)
    .limit(limit)

/** Rows of an import, from the last one towards the first. */
export const listLastRows = (
  db: Database,
  importId: string,
  { upTo, limit }: { upTo: number; limit: number },
): Promise<ImportRowRecord[]> =>
  db
    .select()
    .from(importRows)
    .where(and(eq(importRows.importId, importId), lte(importRows.row, upTo)))
    .orderBy(desc(importRows.row))
    .limit(limit)

/** What a row adds, besides its outcome. */
export type Added = { notes: number; records: number }

/** The outcome of a row. */
export type RowResult = Pick<ImportRowRecord, 'row' | 'outcome'> &
  Partial<Pick<ImportRowRecord, 'recordId' | 'faults' | 'hasMore' | 'before' | 'after'>> & { added?: Added | undefined }

/** Writes the outcomes of rows in one statement. */
export async function saveResults(tx: Database, importId: string, results: RowResult[]): Promise<void> {
  if (results.length === 0) return
  const data = results.map(({ row, outcome, recordId = null, faults = [], ...rest }) => ({
    ...{ row, outcome, record_id: recordId, faults, has_more: rest.hasMore ?? false },
    ...{ before: rest.before ?? null, after: rest.after ?? null },
  }))
  await tx.execute(sql`
    update ${importRows} as import_row
    set outcome = result.outcome, record_id = result.record_id, faults = result.faults, has_more = result.has_more,
      before = result.before, after = result.after,
      -- A row that was to be added, and has a certain record by now, waits for a person again.
      is_added = import_row.is_added and result.outcome <> 'duplicate'
    from jsonb_to_recordset(${JSON.stringify(data)}::jsonb)
      as result (row int, outcome text, record_id uuid, faults jsonb, has_more boolean, before jsonb, after jsonb)
    where import_row.import_id = ${importId} and import_row.row = result.row`)
}

/** Deletes one batch of rows, from the first on. False when there were none. */
export async function deleteSomeRows(db: Database, importId: string, limit: number): Promise<boolean> {
  const some = await rowsOf(
    db,
    sql`delete from ${importRows} where import_id = ${importId} and row <= coalesce(
      (select row from ${importRows} where import_id = ${importId} order by row offset ${limit - 1} limit 1), 2147483647
    ) returning row`,
  )
  return some.length > 0
}

/** Deletes imports that never ran, after 30 days: their files are gone. */
export async function deleteAbandonedImports(db: Database): Promise<void> {
  const abandoned = await rowsOf<{ id: string }>(
    db,
    sql`select id from ${imports} where created_at < now() - interval '30 days' and started_at is null limit 100`,
  )
  for (const { id } of abandoned) {
    while (await deleteSomeRows(db, id, 1_000));
    await db.delete(imports).where(eq(imports.id, id))
  }
}

type Counted = Pick<ImportRowRecord, 'outcome'> & {
  faults?: Fault[] | undefined
  hasMore?: boolean | undefined
  added?: Added | undefined
}

/** Adds the outcomes of rows to the counts. A marked row has an outcome too. */
export function countedWith(counts: ImportRecord['counts'], rows: Counted[], step = 1): ImportRecord['counts'] {
  const sum = { ...counts }
  const count = (what: keyof typeof sum, by = 1) => {
    sum[what] = (sum[what] ?? 0) + by * step
  }
  for (const row of rows) {
    const { outcome, added } = row
    count(outcome)
    if (added) for (const what of ['notes', 'records'] as const) count(what, added[what])
    if (isMarked(row)) count('marked')
  }
  return sum
}
