import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { importRows, imports } from '#server/db/schema.ts'
import { countedWith, type ImportRowRecord, updateImport } from './store.ts'

const ERASED = [{ sentence: 'This row was erased' }]

/** Refuses rows that are erased before their import has written them, and counts them so. */
export async function refuseErased(tx: Database, where: SQL): Promise<void> {
  const open = await tx
    .select()
    .from(imports)
    .where(
      and(
        inArray(imports.state, ['reading', 'ready', 'running', 'done', 'cancelled']),
        sql`${imports.id} in (select import_id from ${importRows} where ${where})`,
      ),
    )
    .orderBy(imports.id)
    .for('update')
  for (const { id, state, lastRow, counts } of open) {
    const isBefore = state === 'reading' || state === 'ready'
    const isWaiting = sql`outcome = 'maybe' or ${isBefore} or (${state === 'running'} and row > ${lastRow})`
    const refused = await rowsOf<Pick<ImportRowRecord, 'row' | 'outcome' | 'faults'>>(
      tx,
      sql`with waiting as (
          select import_id, row, outcome, faults from ${importRows}
          where import_id = ${id} and outcome <> 'refused' and (${isWaiting}) and (${where}) for update
        )
        update ${importRows} written set outcome = 'refused', is_withheld = true, faults = ${JSON.stringify(ERASED)}
        from waiting where written.import_id = waiting.import_id and written.row = waiting.row
        returning waiting.row, waiting.outcome, waiting.faults`,
    )
    // A run counts the rows that it has not reached yet itself.
    const counted = refused.filter(({ row }) => isBefore || row <= lastRow)
    const now = counted.map(() => ({ outcome: 'refused' as const }))
    await updateImport(tx, id, { counts: countedWith(countedWith(counts, counted, -1), now) })
  }
}

/** Whether one of these rows has lost its values since it was read. Locks them. */
export async function areErased(tx: Database, importId: string, rows: ImportRowRecord[]): Promise<boolean> {
  const filled = rows.filter(({ cells }) => cells.length > 0).map(({ row }) => row)
  const locked = await tx
    .select({ cells: importRows.cells })
    .from(importRows)
    .where(and(eq(importRows.importId, importId), inArray(importRows.row, filled)))
    .orderBy(importRows.row)
    .for('update')
  return locked.some(({ cells }) => cells.length === 0)
}
