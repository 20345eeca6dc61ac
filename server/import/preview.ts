import type { ImportRow } from '#contract/import.ts'
import type { Database } from '#server/db/database.ts'
import type { importRows } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { infoText } from '#server/records/fields.ts'
import type { FileRow } from './files/row.ts'
import { type Judging, judge } from './judge.ts'
import { notesWithLines } from './note-lines.ts'
import type { createRepeats } from './repeats.ts'
import { isRefusal, type ParsedRow, type Refusal, type RowParser } from './values.ts'

type NewRow = typeof importRows.$inferInsert

const refusal = (sentence: string): Refusal => ({ isRefused: true, faults: [{ sentence }] })

/** What would become of rows of the file, with the sentences of each. */
export async function previewRows(
  db: Database,
  judging: Judging,
  { parse, repeats }: { parse: RowParser; repeats: ReturnType<typeof createRepeats> },
  batch: FileRow[],
): Promise<NewRow[]> {
  const rows = batch.map((fileRow) => {
    const parsed = fileRow.error !== undefined ? refusal(fileRow.error) : parse(fileRow.values)
    return { fileRow, parsed, earlier: isRefusal(parsed) ? undefined : repeats(fileRow.row, parsed) }
  })
  const toJudge = rows.flatMap(({ parsed, earlier }) => (isRefusal(parsed) || earlier !== undefined ? [] : { parsed }))
  const verdicts = await judge(db, judging, toJudge)
  return rows.map(({ fileRow, parsed, earlier }): NewRow => {
    const marks = fileRow.marks ?? []
    const marked = marks.map((sentence) => ({ sentence }))
    const row = { importId: judging.id, row: fileRow.row, cells: fileRow.values, marks }
    if (isRefusal(parsed)) return { ...row, outcome: 'refused', faults: [...marked, ...parsed.faults] }
    if (earlier !== undefined) {
      const faults = [...marked, ...parsed.faults, { sentence: `This row repeats row ${earlier}` }]
      return { ...row, outcome: 'duplicate', repeats: earlier, faults }
    }
    const verdict = verdicts.shift()
    if (verdict === undefined) throw new Error('Every row that is judged has a verdict')
    const recordId = 'record' in verdict ? verdict.record.id : null
    return { ...row, outcome: verdict.outcome, recordId, faults: [...marked, ...verdict.faults] }
  })
}

/** The values of a row as a record would have them. */
export function shownValues({ infoFields }: EnrichedKind, parsed: ParsedRow): ImportRow['values'] {
  const { fields, facts, createdBy, createdAt } = parsed
  const notes = notesWithLines(fields.notes ?? '', parsed.lines).notes
  const values = {
    ...fields,
    ...(notes !== '' && { notes }),
    ...Object.fromEntries(Object.entries(infoFields).map(([field, name]) => [field, infoText(facts[name])])),
    ...(createdBy !== undefined && { createdBy }),
    ...(createdAt !== undefined && { createdAt: createdAt.toISOString() }),
  }
  const shown = Object.entries(values).filter(([, value]) => value !== '' && value !== null && value !== undefined)
  return Object.fromEntries(shown.map(([field, value]) => [field, String(value)]))
}
