import type { ImportRow } from '#contract/import.ts'
import type { Database } from '#server/db/database.ts'
import type { importRows } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { infoText } from '#server/records/fields.ts'
import type { FileRow } from './files/row.ts'
import { notesWithLines } from './note-lines.ts'
import { type MatchContext, planRows } from './plan-rows.ts'
import type { createRepeats } from './repeats.ts'
import { isRefusal, type ParsedRow, type Refusal, type RowParser } from './values.ts'

type NewRow = typeof importRows.$inferInsert

const refusal = (sentence: string): Refusal => ({ isRefused: true, faults: [{ sentence }] })

/** What would become of rows of the file, with the sentences of each. */
export async function previewRows(
  db: Database,
  context: MatchContext,
  { parse, repeats }: { parse: RowParser; repeats: ReturnType<typeof createRepeats> },
  batch: FileRow[],
): Promise<NewRow[]> {
  const rows = batch.map((fileRow) => {
    const parsed = fileRow.error !== undefined ? refusal(fileRow.error) : parse(fileRow.values)
    return { fileRow, parsed, earlier: isRefusal(parsed) ? undefined : repeats(fileRow.row, parsed) }
  })
  const toPlan = rows.flatMap(({ parsed, earlier }) => (isRefusal(parsed) || earlier !== undefined ? [] : { parsed }))
  const plans = await planRows(db, context, toPlan)
  return rows.map(({ fileRow, parsed, earlier }): NewRow => {
    const marks = fileRow.marks ?? []
    const marked = marks.map((sentence) => ({ sentence }))
    const row = { importId: context.id, row: fileRow.row, cells: fileRow.values, marks }
    if (isRefusal(parsed)) return { ...row, outcome: 'refused', faults: [...marked, ...parsed.faults] }
    if (earlier !== undefined) {
      const faults = [...marked, ...parsed.faults, { sentence: `This row repeats row ${earlier}` }]
      return { ...row, outcome: 'duplicate', repeats: earlier, faults }
    }
    const plan = plans.shift()
    if (plan === undefined) throw new Error('Every planned row has a plan')
    const recordId = 'record' in plan ? plan.record.id : null
    return { ...row, outcome: plan.outcome, recordId, faults: [...marked, ...plan.faults] }
  })
}

/** The values of a row as a record would have them. */
export function shownValues({ infoFields }: EnrichedKind, parsed: ParsedRow): ImportRow['values'] {
  const { fields, facts, createdBy, createdAt } = parsed
  const notes = notesWithLines(fields.notes ?? '', parsed.lines).notes
  const values = {
    ...fields,
    ...(notes !== '' && { notes }),
    ...Object.fromEntries(infoFields.map(({ name, info }) => [name, infoText(facts[info])])),
    ...(createdBy !== undefined && { createdBy }),
    ...(createdAt !== undefined && { createdAt: createdAt.toISOString() }),
  }
  const shown = Object.entries(values).filter(([, value]) => value !== '' && value !== null && value !== undefined)
  return Object.fromEntries(shown.map(([field, value]) => [field, String(value)]))
}
