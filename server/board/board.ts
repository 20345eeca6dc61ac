import { BOARD_COLUMN } from '#contract/limits.ts'
import type { Status } from '#contract/status.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { pipelineCounts } from '#server/db/schema.ts'
import { type Reading, recordQuery } from '#server/lists/query.ts'
import { scan } from '#server/lists/search.ts'
import { getRecords } from '#server/lists/store.ts'
import { listStages } from '#server/pipeline/stages.ts'
import { cursorOf, newest } from '#server/records/cursor.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { countRecords } from '#server/records/store.ts'

type Column = { id: string; name: string } | null

/** The columns of the board, each with its newest records. It costs the same however many records there are. */
export async function getBoard(reading: Reading, kind: RecordKind, caller: Caller, status: Status) {
  const [stages, counts] = await Promise.all([listStages(reading.db), countsOf(reading.db, kind, status)])
  const columns: Column[] = [
    null,
    ...stages
      .filter(({ id, archived }) => !archived || (counts.get(id) ?? 0) > 0)
      .map(({ id, name }) => ({ id, name })),
  ]
  return Promise.all(
    columns.map(async (stage) => ({
      stage,
      count: counts.get(stage?.id ?? null) ?? 0,
      ...(await firstOf(reading, { kind, caller, status, stage })),
    })),
  )
}

/** How many records are in each stage. Not started and active are also those without a pipeline. */
async function countsOf(db: Database, kind: RecordKind, status: Status): Promise<Map<string | null, number>> {
  const rows = await db.select().from(pipelineCounts).where(isOfKind(pipelineCounts.kind, kind))
  const counts = new Map(rows.filter((row) => row.status === status).map(({ stageId, count }) => [stageId, count]))
  if (status === 'active') {
    const withPipeline = rows.reduce((sum, { count }) => sum + count, 0)
    counts.set(null, (counts.get(null) ?? 0) + (await countRecords(db, kind)) - withPipeline)
  }
  return counts
}

async function firstOf(
  reading: Reading,
  { kind, caller, status, stage }: { kind: RecordKind; caller: Caller; status: Status; stage: Column },
) {
  const filters = { stage: stage?.id ?? 'none', status }
  const query = await recordQuery(reading, kind, caller, filters)
  const { ids, next } = await scan(reading.db, { kind, query, limit: BOARD_COLUMN, after: undefined })
  const rows = await getRecords(reading.db, kind, caller, ids.slice(0, BOARD_COLUMN))
  if (next === undefined) return { rows }
  const list = `/api/${kind.path}?${new URLSearchParams({ ...filters, limit: String(BOARD_COLUMN) })}`
  return { rows, next: `${list}&cursor=${cursorOf(newest, list, next)}` }
}
