import { eq } from 'drizzle-orm'
import { editableFields, fieldOf, keyOf } from '#contract/fields.ts'
import type { RecordCorrection } from '#contract/record.ts'
import { withActor } from '#server/audit-log/actor.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { type EnrichmentState, type Facts, pictures, records } from '#server/db/schema.ts'
import type { Overrule } from '#server/do-not-keep/listed.ts'
import { infoOf, infoText } from '#server/records/fields.ts'
import { isOfKind, type RecordField, type RecordKind } from '#server/records/kind.ts'
import { lockRecords } from './lock.ts'
import { type OwnRow, ownColumns } from './own-columns.ts'
import { PERSON, providedFields } from './sources.ts'
import { editRecord } from './write.ts'
import { byHand, type FieldValues, type Others } from './written-columns.ts'

// Corrections of single values by a person, who is their source from then on.

/** A record as stored, without what is read for a caller. */
export type Stored = OwnRow
type Address = keyof RecordKind['addresses']
type Addresses = { [Column in Address]: string | null }

/**
 * Values that a person gives, by a correction or a file: those of columns, and those of public data to set and to remove.
 * `confirmed` names the values that were given again as they are, and `kept` those that stay with a new address.
 */
type Given = { fields: Facts; set: Facts; removed?: string[]; confirmed?: string[]; kept?: string[] }

/** What given values change. `dropped` names what goes because providers found it by an address that has changed. */
export type Change = Required<Omit<Given, 'confirmed' | 'kept'>> & {
  sources: NonNullable<EnrichmentState['sources']>
  dropped: { fields: string[]; info: string[] }
  hasNewAddress: boolean
}

/**
 * Corrects a record as its version says. A changed address drops what providers found by the old one. Undefined,
 * without a change, when the record is gone or no longer at this version. Without a difference nothing is written.
 */
export function correctRecord<Row extends OwnRow>(
  db: Database,
  kind: RecordKind,
  editor: Caller,
  record: Row,
  { version, ...given }: RecordCorrection,
  overrule?: Overrule,
): Promise<{ record: Row; hasNewAddress: boolean } | undefined> {
  return withActor(db, editor, async (tx) => {
    // Locked, so that a run of enrichment that is about to save is either seen here, or sees the correction.
    const [stored] = await lockRecords(tx, [record.id], ownColumns, 'update', isOfKind(records.kind, kind))
    if (stored?.version !== version) return undefined
    const corrected = correctionOf(kind, stored, given)
    if (corrected === undefined) return { record: { ...record, ...stored }, hasNewAddress: false }
    const change = changeOf(kind, stored, corrected, PERSON)
    const row = await saveChange(tx, kind, stored, change, { overrule, ...byHand(editor) })
    if (row === undefined) return undefined
    await deletePictureOf(tx, kind, record.id, change)
    return { record: { ...record, ...row }, hasNewAddress: change.hasNewAddress }
  })
}

/** The values that a correction changes; undefined for a record that has them all. */
function correctionOf(kind: RecordKind, stored: Stored, texts: Facts): Given | undefined {
  const info = infoOf(stored.additionalInfo)
  const given = { fields: {} as Facts, set: {} as Facts, removed: [] as string[], confirmed: [] as string[] }
  let hasChanged = false
  for (const field of editableFields(kind.fields, 'patch')) {
    const value = texts[field.name]
    if (value === undefined) continue
    const [key, isEmptied] = [keyOf(field), value === '']
    if (isEqual(field, value, stored, info)) {
      given.confirmed.push(key)
      continue
    }
    hasChanged = true
    if (field.isColumn) given.fields[field.name] = isEmptied ? null : value
    else if (!isEmptied) given.set[key] = field.rule?.reads === 'place' ? { city: value } : value
    // Public data below an emptied column goes with it. Below a typed one it stays, with its source.
    if (isEmptied && key in info) given.removed.push(key)
  }
  return hasChanged ? given : undefined
}

/** What these values change in a record, with this source. A changed address drops what providers found by the old one. */
export function changeOf(kind: RecordKind, stored: Stored, given: Given, provider: string): Change {
  const source = { provider, at: new Date().toISOString() }
  const info = infoOf(stored.additionalInfo)
  const [fields, set, removed] = [{ ...given.fields }, { ...given.set }, [...(given.removed ?? [])]]
  const sources = { ...stored.enrichment.sources }
  for (const key of Object.keys(set)) sources[key] = source
  for (const key of removed) delete sources[key]
  for (const key of Object.keys(fields)) if (!isAlsoInfo(kind, key)) delete sources[key]

  const dropped = { fields: [] as string[], info: [] as string[] }
  const addresses = changedAddresses(kind, stored, { ...stored, ...fields })
  const found = addresses.some((column) => stored[column] !== null) ? providedFields({ sources }) : []
  for (const key of found.filter((key) => !given.kept?.includes(key))) {
    const isConfirmed = given.confirmed?.includes(key) && !isAlsoInfo(kind, key)
    delete sources[key]
    const isColumn = !(key in info) && kind.fields.some(({ name, isFound }) => isFound && name === key)
    if (isConfirmed && key in info) [set[key], sources[key]] = [info[key], source]
    else if (key in info) dropped.info.push(key)
    else if (isConfirmed && isColumn) fields[key] = stored[key as keyof Stored]
    else if (isColumn) dropped.fields.push(key)
  }
  for (const key of dropped.fields) fields[key] = null
  removed.push(...dropped.info)
  return { fields, set, removed, sources, dropped, hasNewAddress: addresses.length > 0 }
}

/** Whether the key names both a typed column and the public data below it. */
const isAlsoInfo = ({ fields }: RecordKind, key: string): boolean => {
  const field = fieldOf(fields, key)
  return field?.isColumn === true && field.info !== undefined
}

/** Writes a change to a record that is locked. Undefined if it is gone. */
export async function saveChange(
  tx: Database,
  kind: RecordKind,
  { id, enrichment }: Pick<Stored, 'id' | 'enrichment'>,
  { fields, set, removed, sources, hasNewAddress }: Change,
  others: Others & { overrule?: Overrule | undefined } = {},
): Promise<Stored | undefined> {
  const { paid, ...state } = enrichment
  const hasInfo = Object.keys(set).length + removed.length > 0
  return editRecord(tx, kind, id, {
    fields: fields as FieldValues,
    ...(hasInfo && { facts: { set, removed } }),
    // Paid providers that answered about the old address are asked about the new one.
    enrichment: { ...state, ...(paid && !hasNewAddress && { paid }), sources },
    ...others,
  })
}

/** Deletes the picture of a record that a change takes its picture from. */
export async function deletePictureOf(
  tx: Database,
  { infoFields }: RecordKind,
  id: string,
  { removed }: Pick<Change, 'removed'>,
): Promise<void> {
  const key = infoFields.find(({ content }) => content === 'picture')?.info
  if (key !== undefined && removed.includes(key)) await tx.delete(pictures).where(eq(pictures.recordId, id))
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
