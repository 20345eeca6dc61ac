import type { Database } from '#server/db/database.ts'
import type { importRows } from '#server/db/schema.ts'
import { DO_NOT_KEEP } from '#server/http/errors.ts'
import type { FileRow } from '#server/import/read/files/row.ts'
import { listWithheld, WITHHELD } from '#server/import/store/blocked-people.ts'
import type { Added } from '#server/import/store/store.ts'
import {
  type AnyParsed,
  type ImportTarget,
  isRefusal,
  type PlanContext,
  type Reading,
  type Refusal,
  type RowParser,
  type RowPlan,
  type SeenRows,
} from '#server/import/target.ts'

type NewRow = typeof importRows.$inferInsert & { added?: Added | undefined }

const refusal = (sentence: string): Refusal => ({ isRefused: true, faults: [{ sentence }] })

/** What would become of rows of the file, with the sentences of each. */
export async function previewRows(
  db: Database,
  target: ImportTarget,
  context: PlanContext,
  { file, parse, earlier }: { file: Reading; parse: RowParser<AnyParsed>; earlier: SeenRows<AnyParsed, RowPlan> },
  batch: FileRow[],
): Promise<NewRow[]> {
  const withheld = await listWithheld(
    db,
    target,
    file,
    batch.map(({ row, values }) => ({ row, cells: values })),
  )
  const rows = batch.map((fileRow) => ({
    fileRow,
    parsed: withheld.has(fileRow.row)
      ? refusal(DO_NOT_KEEP)
      : fileRow.error !== undefined
        ? refusal(fileRow.error)
        : parse(fileRow.values),
  }))
  const toPlan = rows.flatMap(({ parsed }) => (isRefusal(parsed) ? [] : { parsed, isAdded: false }))
  const plans = await target.planRows(db, context, toPlan)
  const planned = rows.flatMap(({ fileRow: { row }, parsed }) => {
    if (isRefusal(parsed)) return []
    const plan = plans.shift()
    if (plan === undefined) throw new Error('Every row that can be imported has a plan')
    return [{ row, parsed, plan }]
  })
  const planOf = new Map(planned.map((one) => [one.row, one.plan]))
  const repeated = await earlier.repeats(db, context, planned)
  return rows.map(({ fileRow, parsed }): NewRow => {
    const marks = fileRow.marks ?? []
    const marked = marks.map((sentence) => ({ sentence }))
    const row = { importId: context.import.id, row: fileRow.row, cells: fileRow.values, marks }
    if (withheld.has(row.row)) return { ...row, ...WITHHELD }
    if (isRefusal(parsed)) return { ...row, outcome: 'refused', faults: [...marked, ...parsed.faults] }
    const repeat = repeated.get(row.row)
    if (repeat !== undefined) {
      const { plan, repeats } = repeat
      return { ...row, outcome: plan.outcome, repeats, hasMore: plan.hasMore, faults: [...marked, ...plan.faults] }
    }
    const plan = planOf.get(row.row) as RowPlan
    return {
      ...{ ...row, outcome: plan.outcome, recordId: plan.record?.id ?? null, hasMore: plan.hasMore },
      faults: [...marked, ...plan.faults],
      ...(plan.outcome === 'created' && { added: earlier.added?.(parsed, plan) }),
    }
  })
}
