import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { importRows } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { isRefusal, type PlanContext, type RowParser, type SeenRows } from '#server/import/target.ts'
import type { RecordRow } from '#server/lists/row.ts'
import { mayAdvance } from '#server/pipeline/policy.ts'
import { emptyPipeline } from '#server/pipeline/values.ts'
import { infoOf } from '#server/records/fields.ts'
import type { RecordPlan } from './plan-match.ts'
import { planRepeat, planRows } from './plan-rows.ts'
import { createRepeats } from './repeats.ts'
import type { ParsedRow } from './values.ts'

/** Records of repeated rows that are kept in memory. Others are planned again. */
const KEPT_MAX = 1_000

type Planned = { parsed: ParsedRow; plan: RecordPlan }

/** While a file is read: the rows that repeat earlier ones, compared with what these will have become. */
export function createSeenRows(kind: EnrichedKind, parse: RowParser<ParsedRow>): SeenRows<ParsedRow, RecordPlan> {
  const findRepeats = createRepeats(kind)
  const become = new Map<number, RecordRow | undefined>()

  return {
    async repeats(db, context, batch) {
      const repeated = await findRepeats(db, batch)
      const plans = new Map<number, { repeats: number; plan: RecordPlan }>()
      if (repeated.size === 0) return plans
      const planned = new Map<number, Planned>(batch.map((one) => [one.row, one]))
      const missing = [...new Set(repeated.values())].filter((row) => !become.has(row))
      const before = await plansOf(
        db,
        kind,
        parse,
        context,
        missing.filter((row) => !planned.has(row)),
      )
      for (const row of missing) {
        const first = planned.get(row) ?? before.get(row)
        become.set(row, first && recordAfter(context, first))
      }
      const matching = { ...context, kind, canAdvance: await mayAdvance(db, context.importer) }
      for (const { row, parsed } of batch) {
        const repeats = repeated.get(row)
        if (repeats === undefined) continue
        const plan = planRepeat(matching, parsed, repeats, become.get(repeats))
        plans.set(row, { repeats, plan })
        if (plan.outcome === 'updated') become.set(repeats, updated(plan.record, plan))
      }
      for (const row of [...become.keys()].slice(0, Math.max(0, become.size - KEPT_MAX))) become.delete(row)
      return plans
    },
  }
}

/** Rows of earlier batches, with their plans. */
async function plansOf(
  db: Database,
  kind: EnrichedKind,
  parse: RowParser<ParsedRow>,
  context: PlanContext,
  numbers: number[],
): Promise<Map<number, Planned>> {
  if (numbers.length === 0) return new Map()
  const stored = await db
    .select({ row: importRows.row, cells: importRows.cells })
    .from(importRows)
    .where(and(eq(importRows.importId, context.import.id), inArray(importRows.row, numbers)))
  const rows = stored.flatMap(({ row, cells }) => {
    const parsed = parse(cells)
    return isRefusal(parsed) ? [] : [{ row, parsed }]
  })
  const toPlan = rows.map(({ parsed }) => ({ parsed, isAdded: false }))
  const plans = await planRows(db, { ...context, kind }, toPlan)
  return new Map(rows.map(({ row, parsed }, at) => [row, { parsed, plan: plans[at] as RecordPlan }]))
}

/** The record that a row becomes, changes or meets. A row that waits is compared as if it were added. */
function recordAfter({ importer }: PlanContext, { parsed, plan }: Planned): RecordRow | undefined {
  if (plan.outcome === 'updated') return updated(plan.record, plan)
  if (plan.outcome !== 'created') return plan.outcome === 'maybe' ? undefined : plan.record
  const { fields, facts, info, pipeline } = parsed
  return {
    ...{ ...emptyPipeline, ...fields, notes: plan.notes, isRated: fields.rating !== undefined },
    ...{ additionalInfo: { ...info, ...facts }, ...plan.pipeline },
    tags: pipeline.tags.map(({ name }) => ({ id: '', name })),
    ...{ ownerId: importer.id, isMember: true },
  } as RecordRow
}

function updated(
  record: RecordRow,
  { fields, facts, pipeline, tags }: Extract<RecordPlan, { outcome: 'updated' }>,
): RecordRow {
  return {
    ...{ ...record, ...fields, isRated: record.isRated || fields.rating !== undefined },
    ...{ additionalInfo: { ...infoOf(record.additionalInfo), ...facts }, ...pipeline },
    tags: [...(record.tags ?? []), ...tags.map(({ name }) => ({ id: '', name }))],
  } as RecordRow
}
