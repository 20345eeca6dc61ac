import { and, eq, inArray, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Fault } from '#contract/import.ts'
import { isManager } from '#server/auth/policy.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, type EnrichmentState, type Facts, finders, notes, records } from '#server/db/schema.ts'
import type { RecordRow } from '#server/records/row.ts'
import { searchable } from '#server/records/search-text.ts'
import { IMPORT } from '#server/records/sources.ts'
import { editRecord, insertRecords, type NewRecord } from '#server/records/write.ts'
import type { RowPlan } from './plan-rows.ts'
import type { Step } from './step.ts'
import type { ImportRowRecord, RowResult } from './store.ts'
import type { ParsedRow } from './values.ts'

/** A record has changed between its comparison and its update. The batch starts again. */
export class ChangedMeanwhile extends Error {}

/** A row, its values and what becomes of it. */
export type Planned = { row: ImportRowRecord; parsed: ParsedRow; plan: RowPlan }

/** Creates and updates records. Returns the outcome of each row, with the sentences of its reading. */
export async function writeRows(tx: Database, step: Step, planned: Planned[]): Promise<RowResult[]> {
  const created = planned.flatMap(({ row, parsed, plan }): Creation[] =>
    plan.outcome === 'created' ? [{ row: row.row, id: uuidv7(), parsed, notes: plan.notes }] : [],
  )
  const ids = new Map(created.map(({ row, id }) => [row, id]))
  await create(tx, step, created)
  const results: RowResult[] = []
  // In the order of ids, like all code that locks more than one record.
  const byId = planned.toSorted((one, other) => (recordIdOf(one) < recordIdOf(other) ? -1 : 1))
  for (const { row, plan } of byId) {
    const marked: Fault[] = row.marks.map((sentence) => ({ sentence }))
    const result = { row: row.row, faults: [...marked, ...plan.faults] }
    if (plan.outcome === 'created') results.push({ ...result, outcome: 'created', recordId: ids.get(row.row) ?? null })
    else if (plan.outcome === 'updated') results.push({ ...result, ...(await update(tx, step, plan)) })
    else results.push({ ...result, outcome: plan.outcome, recordId: plan.record.id })
  }
  return results
}

const recordIdOf = ({ plan }: Planned) => ('record' in plan ? plan.record.id : '')

type Creation = { row: number; id: string; parsed: ParsedRow; notes: string }

/** The uploader is the creator, unless their rights or our own export say otherwise. */
async function create(tx: Database, { kind, uploader, import: { dialect } }: Step, created: Creation[]): Promise<void> {
  if (created.length === 0) return
  // Our own export leaves out an unknown creator.
  const isExport = dialect.format === 'jsonl' && isManager(uploader)
  const defaultCreator = isExport ? undefined : uploader.id
  const creators = await accountsOf(
    tx,
    created.flatMap(({ parsed }) => parsed.createdBy ?? []),
  )
  await insertRecords(
    tx,
    kind,
    created.map(({ id, parsed, notes }): NewRecord => {
      const info = { ...parsed.info, ...parsed.facts }
      const creatorId = parsed.createdBy === undefined ? defaultCreator : creators.get(parsed.createdBy.toLowerCase())
      return {
        id,
        fields: { ...parsed.fields, notes },
        info: Object.keys(info).length > 0 ? info : null,
        enrichment: { sources: sourcesOf(parsed) },
        creatorId: creatorId ?? null,
        creatorText: creatorId === undefined ? (parsed.createdBy ?? null) : null,
        // The first finder of a record from another Sourcebook shows whether it was imported there.
        isImported: (parsed.finders[0]?.via ?? 'import') === 'import',
        ...(parsed.createdAt && { createdAt: parsed.createdAt }),
      }
    }),
  )
  const thread = created.flatMap(({ id: recordId, parsed }) =>
    parsed.thread.map(({ author, content, createdAt }) => ({ recordId, authorText: author, content, createdAt })),
  )
  // The export starts with the newest note. Reversed, so that notes with the same time keep their order.
  for (const batch of inParts(thread.reverse())) {
    await tx
      .insert(notes)
      .values(batch.map((note) => ({ ...note, id: uuidv7(), kind: kind.name, searchText: searchable(note.content) })))
  }
  // The first finder is the creator, if known.
  const found = created.flatMap(({ id: recordId, parsed: { createdBy, finders } }) =>
    finders
      .filter(({ name }, index) => index > 0 || name !== createdBy)
      .map(({ name, foundAt, via }) => ({ recordId, fellowText: name, foundAt, via })),
  )
  for (const batch of inParts(found)) await tx.insert(finders).values(batch).onConflictDoNothing()
}

type Sources = NonNullable<EnrichmentState['sources']>

const fromImport = (fields: string[]): Sources => {
  const at = new Date().toISOString()
  return Object.fromEntries(fields.map((field) => [field, { provider: IMPORT, at }]))
}

/** The values that columns have given. Public data of our own export has no source, so that it can be refreshed. */
const sourcesOf = ({ facts, info }: ParsedRow): Sources =>
  fromImport(Object.keys(facts).filter((field) => facts[field] !== info?.[field]))

const PART = 500

const inParts = <Item>(items: Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / PART) }, (_, part) => items.slice(part * PART, (part + 1) * PART))

/** The accounts that have verified these addresses, by address. */
async function accountsOf(tx: Database, texts: string[]): Promise<Map<string, string>> {
  const emails = [...new Set(texts.map((text) => text.toLowerCase()).filter((text) => text.includes('@')))]
  if (emails.length === 0) return new Map()
  const found = await tx
    .select({ id: accounts.id, email: accounts.email })
    .from(accounts)
    .where(and(inArray(accounts.email, emails), eq(accounts.emailVerified, true)))
  return new Map(found.map(({ id, email }) => [email, id]))
}

/**
 * Updates a record that is as it was when the row was planned. The result holds what a revert needs: the values before
 * and after, and the sources before.
 */
async function update(
  tx: Database,
  { kind }: Step,
  { record, fields, facts }: Extract<RowPlan, { outcome: 'updated' }>,
): Promise<Omit<RowResult, 'row' | 'faults'>> {
  const hasFacts = Object.keys(facts).length > 0
  const change = { fields, ...(hasFacts && { facts: { set: facts, sources: fromImport(Object.keys(facts)) } }) }
  const isAsPlanned = and(eq(records.version, record.version), hasFacts ? isWithInfo(record) : undefined)
  const saved = await editRecord(tx, kind, record.id, change, isAsPlanned).returning({ id: records.id })
  if (saved.length === 0) throw new ChangedMeanwhile('A record has changed')
  return {
    outcome: 'updated',
    recordId: record.id,
    before: beforeOf(record, fields, facts),
    after: { ...fields, ...facts },
  }
}

/** Enrichment changes public data without a new version. */
const isWithInfo = ({ additionalInfo }: RecordRow) =>
  sql`${records.additionalInfo} is not distinct from ${additionalInfo === null ? null : JSON.stringify(additionalInfo)}::jsonb`

function beforeOf(record: RecordRow, given: object, facts: Facts): Facts {
  const fields = Object.keys(given) as (keyof RecordRow)[]
  const info = Object(record.additionalInfo) as Facts
  const named = Object.keys(facts)
  return {
    ...Object.fromEntries(fields.map((field) => [field, record[field] ?? null])),
    ...('rating' in given && { isRated: record.isRated }),
    ...Object.fromEntries(named.map((field) => [field, info[field] ?? null])),
    ...(named.length > 0 && {
      sources: Object.fromEntries(named.map((field) => [field, record.enrichment.sources?.[field] ?? null])),
    }),
  }
}
