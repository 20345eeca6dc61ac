import { and, eq } from 'drizzle-orm'
import { editableFields, keyOf } from '#contract/fields.ts'
import type { RecordCorrection } from '#contract/record.ts'
import { withActor } from '#server/audit-log/actor.ts'
import type { Caller } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import { type EnrichmentState, type Facts, pictures, records } from '#server/db/schema.ts'
import { infoOf, infoText } from './fields.ts'
import { isOfKind, type RecordField, type RecordKind } from './kind.ts'
import { ownColumns, type RecordRow } from './row.ts'
import { PERSON, providedFields } from './sources.ts'
import { editRecord, type FieldValues } from './write.ts'

// Corrections of single values by a person, who is their source from then on.

type Stored = Pick<RecordRow, keyof typeof ownColumns>
type Address = keyof RecordKind['addresses']
type Addresses = { [Column in Address]: string | null }

/** The values to set, those to remove, and the sources afterwards. Columns are among the fields, all others are info. */
type Correction = { fields: Facts; set: Facts; removed: string[]; sources: NonNullable<EnrichmentState['sources']> }

/**
 * Corrects a record as its version says. A changed address drops what providers found by the old one. Undefined,
 * without a change, when the record is gone or no longer at this version. Without a difference nothing is written.
 */
export function correctRecord(
  db: Database,
  kind: RecordKind,
  editor: Caller,
  record: RecordRow,
  { version, ...given }: RecordCorrection,
): Promise<{ record: RecordRow; hasNewAddress: boolean } | undefined> {
  return withActor(db, editor, async (tx) => {
    // Locked, so that a run of enrichment that is about to save is either seen here, or sees the correction.
    const [stored] = await tx
      .select(ownColumns)
      .from(records)
      .where(and(eq(records.id, record.id), isOfKind(records.kind, kind)))
      .for('update')
    if (stored?.version !== version) return undefined
    const correction = correctionOf(kind, stored, given)
    if (correction === undefined) return { record: { ...record, ...stored }, hasNewAddress: false }

    const corrected = { ...stored, ...correction.fields }
    const addresses = changedAddresses(kind, stored, corrected)
    const hasNewAddress = addresses.length > 0
    const { paid, ...state } = stored.enrichment
    if (addresses.some((column) => stored[column] !== null)) dropProvided(kind, stored, correction)
    const { fields, set, removed, sources } = correction
    const hasInfo = Object.keys(set).length + removed.length > 0
    const [row] = await editRecord(tx, kind, record.id, {
      fields: fields as FieldValues,
      ...(hasInfo && { facts: { set, removed } }),
      // Paid providers that answered about the old address are asked about the new one.
      enrichment: { ...state, ...(paid && !hasNewAddress && { paid }), sources },
    }).returning(ownColumns)
    const pictureKey = kind.infoFields.find(({ content }) => content === 'picture')?.info
    if (pictureKey !== undefined && removed.includes(pictureKey)) {
      await tx.delete(pictures).where(eq(pictures.recordId, record.id))
    }
    return row && { record: { ...record, ...row }, hasNewAddress }
  })
}

/** What the given values change; undefined for a record that has them all. */
function correctionOf(kind: RecordKind, stored: Stored, given: Facts): Correction | undefined {
  const source = { provider: PERSON, at: new Date().toISOString() }
  const info = infoOf(stored.additionalInfo)
  const correction: Correction = { fields: {}, set: {}, removed: [], sources: { ...stored.enrichment.sources } }
  const changed = editableFields(kind.fields, 'patch').filter(
    (field) => given[field.name] !== undefined && !isEqual(field, given[field.name], stored, info),
  )
  for (const field of changed) {
    const value = given[field.name]
    const [key, isEmptied] = [keyOf(field), value === '']
    if (field.isColumn) correction.fields[field.name] = isEmptied ? null : value
    else if (!isEmptied) correction.set[key] = field.rule?.reads === 'place' ? { city: value } : value
    // Public data below an emptied column goes with it. Below a typed one it stays, with its source.
    if (isEmptied && key in info) correction.removed.push(key)
    if (key in correction.set) correction.sources[key] = source
    else if (isEmptied || field.info === undefined) delete correction.sources[key]
  }
  return changed.length > 0 ? correction : undefined
}

function isEqual(field: RecordField, value: unknown, stored: Stored, info: Facts): boolean {
  const now = infoText(field.info && info[field.info])
  if (!field.isColumn || (value === '' && now !== '')) return now === String(value)
  return (stored[field.name as keyof Stored] ?? '') === value
}

/** The address in a column, in the form in which providers know it. */
const addressIn = (kind: RecordKind, values: Addresses, column: Address): string | null => {
  const address = values[column] ?? null
  return address && (kind.addresses[column]?.(address) ?? address.toLowerCase())
}

/** The columns whose address differs by more than its spelling. */
export const changedAddresses = (kind: RecordKind, before: Addresses, after: Addresses): Address[] =>
  (Object.keys(kind.addresses) as Address[]).filter(
    (column) => addressIn(kind, before, column) !== addressIn(kind, after, column),
  )

/** Removes what providers have found, except for what is corrected at the same time. */
function dropProvided({ fields }: RecordKind, { additionalInfo }: Stored, correction: Correction) {
  const info = infoOf(additionalInfo)
  for (const key of providedFields(correction)) {
    delete correction.sources[key]
    if (key in info) correction.removed.push(key)
    else if (fields.some(({ name, isFound }) => isFound && name === key)) correction.fields[key] = null
  }
}
