import { and, asc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { type EnrichmentState, type Facts, records } from '#server/db/schema.ts'
import { infoOf } from '#server/records/fields.ts'
import { isOfKind } from '#server/records/kind.ts'
import type { OwnRow } from '#server/records/write/own-columns.ts'
import { changeRecord } from '#server/records/write/write.ts'
import type { EnrichedKind, KnownRecord } from './kind.ts'

// What runs of enrichment read from records, and write to them.

type Kind = Pick<EnrichedKind, 'name'>

const isRecord = (kind: Kind, id: string) => and(eq(records.id, id), isOfKind(records.kind, kind))

/** Undefined when the record is gone, as in all of these functions. */
export async function getKnown(db: Database, kind: Kind, id: string): Promise<KnownRecord | undefined> {
  const [record] = await knownRecord(db, kind, id)
  return record && knownOf(record)
}

/** Like `getKnown`, and locks the record until the transaction ends. */
export async function lockKnown(tx: Database, kind: Kind, id: string): Promise<KnownRecord | undefined> {
  const [record] = await knownRecord(tx, kind, id).for('update')
  return record && knownOf(record)
}

/** The records among these that no run has looked up yet. */
export async function listNeverEnriched(
  db: Database,
  kind: Kind,
  ids: string[],
): Promise<(KnownRecord & { id: string })[]> {
  const isNew = sql`${records.enrichment} -> 'last' is null`
  const rows = await knownRecords(db, and(inArray(records.id, ids), isOfKind(records.kind, kind), isNew))
  return rows.map(({ id, ...row }) => ({ ...knownOf(row), id }))
}

/** Converts a record that was already read, for a run. */
export const knownOf = ({
  additionalInfo,
  enrichment: state,
  ...record
}: Omit<KnownRecord, 'info' | 'state'> & Pick<OwnRow, 'additionalInfo' | 'enrichment'>): KnownRecord => ({
  ...record,
  info: infoOf(additionalInfo),
  state,
})

const knownRecord = (db: Database, kind: Kind, id: string) => knownRecords(db, isRecord(kind, id))

const knownRecords = (db: Database, where: SQL | undefined) =>
  db
    .select({
      id: records.id,
      name: records.name,
      linkedIn: records.linkedIn,
      website: records.website,
      description: records.description,
      notes: records.notes,
      additionalInfo: records.additionalInfo,
      enrichment: records.enrichment,
    })
    .from(records)
    .where(where)

export async function getState(db: Database, kind: Kind, id: string): Promise<EnrichmentState | undefined> {
  const [row] = await db.select({ state: records.enrichment }).from(records).where(isRecord(kind, id))
  return row?.state
}

/** The current values of these fields. */
export async function getFindings(db: Database, kind: EnrichedKind, id: string, fields: string[]): Promise<Facts> {
  const record = await getKnown(db, kind, id)
  const values: Facts = { ...record?.info }
  for (const column of kind.enrichment.columns) values[column] = record?.[column as keyof KnownRecord]
  return Object.fromEntries(fields.map((field) => [field, values[field]]))
}

/** Writes the findings and the state of an ended run. Fields without a finding stay unchanged. */
export async function saveFindings(
  tx: Database,
  kind: EnrichedKind,
  id: string,
  { findings, state }: { findings: Facts; state: EnrichmentState },
): Promise<void> {
  const columns = new Set<string>(kind.enrichment.columns)
  const [fields, info] = [true, false].map((isColumn) =>
    Object.fromEntries(Object.entries(findings).filter(([field]) => columns.has(field) === isColumn)),
  ) as [Facts, Facts]
  const facts = Object.keys(findings).length > 0 ? { set: info } : undefined
  await changeRecord(tx, kind, id, { fields, facts, enrichment: state, enrichedAt: sql`now()` })
}

/** Marks that a run is queued or running. */
export async function markRunning(db: Database, kind: EnrichedKind, id: string): Promise<void> {
  const running = JSON.stringify({ runningSince: new Date().toISOString() })
  await changeRecord(db, kind, id, { enrichment: sql`${records.enrichment} || ${running}::jsonb` })
}

/** Postpones the record's next upkeep, as a run does. */
export async function markEnriched(db: Database, kind: EnrichedKind, id: string): Promise<void> {
  await changeRecord(db, kind, id, { enrichedAt: sql`now()` })
}

/** The records with the oldest enrichment, of those enriched before a time. */
export async function listEnrichedBefore(
  db: Database,
  kind: Kind,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ id: records.id })
    .from(records)
    .where(and(isOfKind(records.kind, kind), lt(records.enrichedAt, before)))
    .orderBy(asc(records.enrichedAt))
    .limit(limit)
  return rows.map(({ id }) => id)
}
