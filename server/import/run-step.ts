import { and, eq, inArray, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { ImportOutcome } from '#contract/import.ts'
import { beginAct, withActor } from '#server/audit-log/actor.ts'
import { isManager } from '#server/auth/policy.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, finders, notes, records } from '#server/db/schema.ts'
import { fieldsOf, withKey } from '#server/records/fields.ts'
import { isOfKind } from '#server/records/kind.ts'
import { searchText } from '#server/records/search-text.ts'
import { changesOf } from '#server/records/store.ts'
import { judge, type Verdict } from './judge.ts'
import { beQuiet, createAnnouncer } from './quiet.ts'
import { inBatches, type Step } from './step.ts'
import {
  advance,
  countedWith,
  getImport,
  type ImportRowRecord,
  listRows,
  type RowResult,
  saveResults,
} from './store.ts'
import { BLANK, isRefusal, type ParsedRow, rowParser } from './values.ts'

/** A record has changed between its comparison and its update. The batch starts again. */
class ChangedMeanwhile extends Error {}

type Judged = { row: ImportRowRecord; parsed: ParsedRow; verdict: Verdict }

/** Imports the rows. Judges each batch again, because records may have changed since the file was read. */
export async function runImport(step: Step): Promise<void> {
  const { db, kind, actor, pace, end, yieldTurn } = step
  const { id, duplicates, mapping, columns, dialect } = step.import
  const parse = rowParser(kind, { mapping, columns, dialect }, { isManager: isManager(actor) })
  const announce = createAnnouncer(kind)

  await inBatches(step, async () => {
    const { lastRow, done, counts } = await getImport(db, id)
    const rows = (await listRows(db, id, { limit: pace.rows, after: lastRow })).slice(0, pace.rows)
    if (rows.length === 0) {
      await db.transaction(async (tx) => {
        await advance(tx, step.import, { from: done, to: { state: 'done' } })
        await announce(tx, 'created', { isLast: true })
        await end(tx)
      })
      return 'over'
    }
    const open = rows.flatMap((row) => {
      const parsed = row.outcome === 'refused' || row.repeats !== null ? undefined : parse(row.cells)
      return parsed === undefined || isRefusal(parsed) ? [] : [{ row, parsed }]
    })
    const verdicts = await judge(
      db,
      { id, kind, importer: actor, duplicates },
      open.map(({ parsed }) => parsed),
    )
    const judged = open.map((one, index): Judged => ({ ...one, verdict: verdicts[index] as Verdict }))
    try {
      return await withActor(db, actor, async (tx) => {
        await beQuiet(tx)
        await beginAct(tx, actor, { detail: { import: id } })
        const results = await act(tx, step, judged)
        const outcomeOf = new Map(results.map((result) => [result.row, result.outcome]))
        const outcomes = rows.map(({ row, outcome }): ImportOutcome => outcomeOf.get(row) ?? outcome)
        await saveResults(tx, id, results)
        const to = {
          done: done + rows.length,
          counts: countedWith(counts, outcomes),
          lastRow: rows.at(-1)?.row ?? lastRow,
        }
        await advance(tx, step.import, { from: done, to })
        await announce(tx, 'created')
        return (await yieldTurn(tx)) ? 'over' : 'more'
      })
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return 'more'
      throw error
    }
  })
}

/** Creates and updates records. */
async function act(tx: Database, step: Step, judged: Judged[]): Promise<RowResult[]> {
  const created = judged.flatMap((one) => (one.verdict.outcome === 'created' ? [{ ...one, id: uuidv7() }] : []))
  const ids = new Map(created.map(({ row, id }) => [row.row, id]))
  await create(tx, step, created)
  const results: RowResult[] = []
  // In the order of ids, like all code that locks more than one record.
  const byId = judged.toSorted((one, other) => (recordIdOf(one) < recordIdOf(other) ? -1 : 1))
  for (const { row, verdict } of byId) {
    if (verdict.outcome === 'created')
      results.push({ row: row.row, outcome: 'created', recordId: ids.get(row.row) ?? null })
    else if (verdict.outcome === 'updated') results.push({ row: row.row, ...(await update(tx, step, verdict)) })
    else
      results.push({
        row: row.row,
        outcome: verdict.outcome,
        recordId: verdict.record.id,
        faults: verdict.error === undefined ? [] : [{ sentence: verdict.error }],
      })
  }
  return results
}

const recordIdOf = ({ verdict }: Judged) => (verdict.outcome === 'created' ? '' : verdict.record.id)

type Creation = { id: string; parsed: ParsedRow }

async function create(tx: Database, { kind, actor, import: { dialect } }: Step, created: Creation[]): Promise<void> {
  if (created.length === 0) return
  // Our own export leaves out an unknown creator.
  const isExport = dialect.format === 'jsonl' && isManager(actor)
  const defaultCreator = isExport ? undefined : actor.id
  const creators = await accountsOf(
    tx,
    created.flatMap(({ parsed }) => parsed.createdBy ?? []),
  )
  await tx.insert(records).values(
    created.map(({ id, parsed }): typeof records.$inferInsert => {
      const fields = { ...BLANK, ...parsed.fields }
      const creatorId = parsed.createdBy === undefined ? defaultCreator : creators.get(parsed.createdBy.toLowerCase())
      return {
        ...(withKey(kind, { ...fieldsOf(kind, fields), notes: fields.notes }) as typeof records.$inferInsert),
        ...(fields.linkedIn && { linkedIn: fields.linkedIn }),
        id,
        kind: kind.name,
        creatorId: creatorId ?? null,
        creatorText: creatorId === undefined ? (parsed.createdBy ?? null) : null,
        additionalInfo: parsed.info,
        searchText: searchText(kind.searched, { ...parsed.info, ...fields }),
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
    await tx.insert(notes).values(batch.map((note) => ({ ...note, id: uuidv7(), kind: kind.name })))
  }
  // The first finder is the creator, if known.
  const found = created.flatMap(({ id: recordId, parsed: { createdBy, finders } }) =>
    finders
      .filter(({ name }, index) => index > 0 || name !== createdBy)
      .map(({ name, foundAt, via }) => ({ recordId, fellowText: name, foundAt, via })),
  )
  for (const batch of inParts(found)) await tx.insert(finders).values(batch).onConflictDoNothing()
}

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

async function update(
  tx: Database,
  { kind }: Step,
  { record, changes }: Extract<Verdict, { outcome: 'updated' }>,
): Promise<Omit<RowResult, 'row'>> {
  const saved = await tx
    .update(records)
    .set({ ...changesOf(kind, changes), version: sql`${records.version} + 1` })
    .where(and(eq(records.id, record.id), isOfKind(records.kind, kind), eq(records.version, record.version)))
    .returning({ id: records.id })
  if (saved.length === 0) throw new ChangedMeanwhile('A record has changed')
  const fields = Object.keys(changes) as (keyof typeof changes & keyof typeof record)[]
  const before = Object.fromEntries(fields.map((field) => [field, record[field] ?? null]))
  return { outcome: 'updated', recordId: record.id, before, after: changes }
}
