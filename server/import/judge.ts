import { and, eq, inArray } from 'drizzle-orm'
import type { ImportDuplicates } from '#contract/import.ts'
import type { Account } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import { importRows } from '#server/db/schema.ts'
import { findSimilar } from '#server/duplicates/similar.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { Fields } from '#server/records/kind.ts'
import type { RecordRow } from '#server/records/row.ts'
import { getRecords } from '#server/records/store.ts'
import { fold } from '#server/text.ts'
import { changeableFields } from './policy.ts'
import type { ParsedRow } from './values.ts'

/** The number of matches of a row to check. The best one that may be the same person or company counts. */
const MATCHES_MAX = 5

/** The outcome of a row that is not refused. `changes` are the fields that an update sets. */
export type Verdict =
  | { outcome: 'created' }
  | { outcome: 'updated'; record: RecordRow; changes: Fields }
  | { outcome: 'same' | 'duplicate'; record: RecordRow; error?: string }

export type Judging = {
  id: string
  kind: EnrichedKind
  importer: Account
  duplicates: ImportDuplicates
}

/** Compares each row with the existing records, and not with other rows. */
export async function judge(db: Database, judging: Judging, rows: ParsedRow[]): Promise<Verdict[]> {
  const { kind, importer } = judging
  const wanted = rows.map(({ fields, info }) => kind.matching.wanted({ ...info, ...fields }))
  // Two people may share a name. With two different addresses they are two people.
  const finding = { max: MATCHES_MAX, withOtherAddress: false }
  const similar = rows.length === 0 ? [] : await findSimilar(db, kind, wanted, finding)
  const ids = [...new Set(similar.flat().map(({ id }) => id))]
  const own = await listOwn(db, judging.id, ids)
  const records = new Map((await getRecords(db, kind, importer, ids)).map((record) => [record.id, record]))
  return rows.map((row, index) => {
    for (const match of similar[index] ?? []) {
      const record = own.has(match.id) ? undefined : records.get(match.id)
      if (record !== undefined) return judgeMatch(judging, row, record, isSure(row, record, match.reasons))
    }
    return { outcome: 'created' }
  })
}

/** Excludes records that this import has created. Repeated rows are known from the file. */
async function listOwn(db: Database, importId: string, ids: string[]): Promise<Set<string | null>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ recordId: importRows.recordId })
    .from(importRows)
    .where(and(inArray(importRows.recordId, ids), eq(importRows.importId, importId), eq(importRows.outcome, 'created')))
  return new Set(rows.map(({ recordId }) => recordId))
}

const isByName = (reasons: string[]) => reasons.every((reason) => reason === 'name' || reason === 'same_name')

/** Another spelling of a name alone does not change a record. */
const isSure = ({ fields }: ParsedRow, record: RecordRow, reasons: string[]) =>
  !isByName(reasons) || fold(fields.name) === fold(record.name)

function judgeMatch(
  { kind, importer, duplicates }: Judging,
  { fields }: ParsedRow,
  record: RecordRow,
  isCertain: boolean,
): Verdict {
  const { lookup } = kind
  const isEqual = (field: string, value: unknown) => {
    const now = record[field as keyof RecordRow]
    if (field !== lookup.field || typeof value !== 'string' || typeof now !== 'string') return now === value
    // Another spelling of an address is the same address.
    const key = lookup.keyOf(value)
    return now === value || (key !== null && key === lookup.keyOf(now))
  }
  const different = Object.entries(fields).filter(([field, value]) => !isEqual(field, value))
  if (different.length === 0) return { outcome: 'same', record }
  if (!isCertain) return { outcome: 'duplicate', record, error: `${record.name} may be the same` }
  if (duplicates === 'skip') return { outcome: 'duplicate', record, error: `${record.name} already exists` }
  const changeable = changeableFields(importer, kind, record)
  const isEmpty = (field: string) => !record[field as keyof RecordRow]
  const wanted = different.filter(([field]) => duplicates === 'update' || isEmpty(field))
  const changes = wanted.filter(([field]) => changeable.has(field))
  if (changes.length > 0) return { outcome: 'updated', record, changes: Object.fromEntries(changes) }
  return {
    outcome: 'duplicate',
    record,
    error: wanted.length > 0 ? `You may not change ${record.name}` : `${record.name} has no empty field to fill`,
  }
}
