import { createHash } from 'node:crypto'
import { inArray, sql } from 'drizzle-orm'
import type { Import } from '#contract/import.ts'
import { importKindNamed } from '#contract/import-kinds.ts'
import type { KindName } from '#contract/kinds.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, records } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { emailOf } from '#server/import/read/cells/cell-values.ts'
import { textsOf } from '#server/import/read/columns/mapping.ts'
import { repeatPlan } from '#server/import/rows/plan-match.ts'
import { addressesInTexts } from '#server/import/store/blocked-people.ts'
import type { ImportRecord, ImportRowRecord } from '#server/import/store/store.ts'
import { type ImportTarget, isRefusal, type RowView, type SeenRows } from '#server/import/target.ts'
import { guessNoteColumns } from './headers.ts'
import { noteParser, type ParsedNote } from './parse-note.ts'
import { authorsOf, type NotePlan, planNotes } from './plan-notes.ts'
import { revertNotes, writeNotes } from './write-notes.ts'

/** Rows become notes on records that are here. */
export const noteTarget = (kinds: EnrichedKind[]): ImportTarget<ParsedNote, NotePlan> => ({
  ...importKindNamed('note'),
  guessMapping: guessNoteColumns,
  rules: {
    address: (text) => emailOf(text) !== undefined || /^\S+\.\S+$/.test(text),
    kind: (text) => text.length < 30,
  },
  createParser: async (_db, file) => noteParser(file),
  addressesIn: (file, cells) => addressesInTexts([textsOf(file, cells).address]),
  createSeenRows,
  planRows: (db, context, rows) => planNotes(db, kinds, context, rows),
  writeRows: (tx, step, planned) => writeNotes(tx, kinds, step, planned),
  hasRun: ({ outcome }) => outcome === 'created',
  revertRows: revertNotes,
  presentRows,
  events: () => kinds.map(({ name }) => ({ kind: name, change: 'notes' })),
})

/** Of a file with many notes only their fingerprints are in memory. */
function createSeenRows(): SeenRows<ParsedNote, NotePlan> {
  const rows = new Map<string, number>()
  const seen = new Set<string>()
  return {
    async repeats(_db, _context, batch) {
      const repeated = batch.flatMap(({ row, parsed: { parts, date, faults }, plan }) => {
        if (plan.outcome === 'refused') return []
        const about = [plan.record.id, plan.author, date?.getTime(), parts]
        const key = createHash('sha256').update(JSON.stringify(about)).digest('base64')
        const repeats = rows.get(key)
        if (repeats === undefined) rows.set(key, row)
        return repeats === undefined ? [] : [[row, { repeats, plan: repeatPlan(repeats, faults) }] as const]
      })
      return new Map(repeated)
    },
    added({ parts }, { record }) {
      const isFirst = record !== undefined && !seen.has(record.id)
      if (record !== undefined) seen.add(record.id)
      return { notes: parts.length, records: isFirst ? 1 : 0 }
    },
  }
}

/** Notes as they will be or are: on which record, by whom, when. A refused row has the texts of the file. */
async function presentRows(db: Database, file: ImportRecord, rows: ImportRowRecord[]): Promise<RowView[]> {
  const parse = noteParser(file)
  const parsed = rows.map(({ outcome, cells }) => {
    const one = outcome === 'refused' ? undefined : parse(cells)
    return one === undefined || isRefusal(one) ? undefined : one
  })
  const shown = parsed.filter((one) => one !== undefined)
  const found = await recordsById(
    db,
    rows.flatMap(({ recordId }) => recordId ?? []),
  )
  const authorOf = await authorsOf(db, shown, { id: file.accountId })
  const names = await namesOf(
    db,
    shown.flatMap((one) => {
      const author = authorOf(one)
      return 'id' in author ? [author.id] : []
    }),
  )
  return rows.map((row, at): RowView => {
    const texts: RowView['values'] = textsOf(file as Pick<Import, 'mapping'>, row.cells)
    const one = parsed[at]
    if (one === undefined) return { values: texts }
    const { record: name = texts.record, kind } = found.get(row.recordId ?? '') ?? {}
    const author = authorOf(one)
    const date = one.date ?? file.startedAt
    return {
      ...(kind !== undefined && { recordKind: kind }),
      ...(one.parts.length > 1 && { parts: one.parts.length }),
      values: {
        ...(name !== undefined && { record: name }),
        ...(texts.address !== undefined && { address: texts.address }),
        text: one.parts.join(''),
        author: 'id' in author ? (names.get(author.id) ?? '') : author.text,
        ...(date && { date: date.toISOString() }),
      },
    }
  })
}

/** Names and kinds of records, those of merged ones included: their pages lead to the survivor. */
async function recordsById(db: Database, ids: string[]): Promise<Map<string, { record: string; kind: KindName }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({
      id: records.id,
      record: records.name,
      kind: sql<KindName>`replace(${records.kind}, 'merged-', '')`,
    })
    .from(records)
    .where(inArray(records.id, ids))
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

async function namesOf(db: Database, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.select({ id: accounts.id, name: shownName() }).from(accounts).where(inArray(accounts.id, ids))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
