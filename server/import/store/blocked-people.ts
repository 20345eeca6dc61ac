import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { importRows, imports } from '#server/db/schema.ts'
import { companyAddress, findSuppressed, personKey } from '#server/do-not-keep/listed.ts'
import { DO_NOT_KEEP } from '#server/http/errors.ts'
import type { ImportTarget, Reading } from '#server/import/target.ts'
import { linkedInCompany } from '#server/names/keys.ts'
import { deleteFile } from './file-store.ts'
import type { RowResult } from './store.ts'

// A row with an address of a person who asked not to be kept is refused and keeps no values. Its file goes after the run.

/** The addresses in the texts of cells, also where a cell says more or cannot be read. */
export const addressesInTexts = (texts: (string | undefined)[]): string[] =>
  texts
    .flatMap((text) => (text ?? '').split(/[\s,;<>()"|]+/))
    .flatMap((part) => {
      const company = linkedInCompany(part)
      return [personKey(part), company === null ? undefined : companyAddress(company)]
    })
    .filter((address) => address !== undefined)

/** The rows among these that are withheld, by their numbers. */
export async function listWithheld(
  db: Database,
  target: Pick<ImportTarget, 'addressesIn'>,
  file: Reading,
  rows: { row: number; cells: string[] }[],
): Promise<Set<number>> {
  const addressed = rows.map(({ row, cells }) => ({ row, addresses: target.addressesIn(file, cells) }))
  const listed = await findSuppressed(
    db,
    addressed.flatMap(({ addresses }) => addresses),
  )
  const given = new Set(listed.map((one) => one.given))
  return new Set(addressed.flatMap(({ row, addresses }) => (addresses.some((one) => given.has(one)) ? [row] : [])))
}

/** What is stored of a withheld row besides its number. */
export const WITHHELD = {
  ...{ outcome: 'refused' as const, recordId: null, faults: [{ sentence: DO_NOT_KEEP }] },
  ...{ cells: [] as string[], marks: [] as string[], isWithheld: true },
}

/** Empties rows that a run has found. Returns their outcomes. */
export async function withholdRows(tx: Database, importId: string, numbers: Set<number>): Promise<RowResult[]> {
  if (numbers.size === 0) return []
  const rows = [...numbers]
  await tx
    .update(importRows)
    .set({ ...WITHHELD, repeats: null, before: null, after: null })
    .where(and(eq(importRows.importId, importId), inArray(importRows.row, rows)))
  return rows.map((row) => ({ row, outcome: WITHHELD.outcome, faults: WITHHELD.faults }))
}

/** At the end of a run: deletes the file of withheld rows, and the samples of it. */
export async function deleteFileOfWithheld(tx: Database, importId: string): Promise<void> {
  const withheld = await tx
    .select({ row: importRows.row })
    .from(importRows)
    .where(and(eq(importRows.importId, importId), eq(importRows.outcome, 'refused'), eq(importRows.isWithheld, true)))
    .limit(1)
  if (withheld.length === 0) return
  await deleteFile(tx, importId)
  await tx
    .update(imports)
    .set({ inspection: sql`${imports.inspection} - 'encodingSample' || '{"samples": []}'`, doubts: {} })
    .where(eq(imports.id, importId))
}
