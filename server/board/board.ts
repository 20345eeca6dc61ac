import type { BoardQuery } from '#contract/board.ts'
import { BOARD_COLUMN } from '#contract/limits.ts'
import type { ListQuery } from '#contract/record.ts'
import type { Status } from '#contract/status.ts'
import type { Caller } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { pipelineCounts } from '#server/db/schema.ts'
import { type Reading, recordQuery } from '#server/lists/query.ts'
import { scan, searchRecords } from '#server/lists/search.ts'
import { getRecords } from '#server/lists/store.ts'
import { listStages } from '#server/pipeline/stages.ts'
import { cursorOf, newest } from '#server/records/cursor.ts'
import { isOfKind, type RecordKind } from '#server/records/kind.ts'
import { countRecords } from '#server/records/store.ts'

type Column = { id: string; name: string } | null

type ColumnRequest = { kind: RecordKind; caller: Caller; query: ListQuery; total: number | undefined }

/**
 * The columns of the board, each with its newest records. Without filters it costs the same however many records there are: the
 * counts are kept. With filters each column is a list with its total.
 */
export async function getBoard(
  reading: Reading,
  kind: RecordKind,
  caller: Caller,
  { status, kind: _kind, timeZone, ...given }: BoardQuery,
) {
  const filters = Object.entries(given).filter(([, value]) => value !== undefined)
  const isFiltered = filters.length > 0
  const [stages, counts, total] = await Promise.all([
    listStages(reading.db),
    countsOf(reading.db, kind, status),
    isFiltered ? countRecords(reading.db, kind) : undefined,
  ])
  const columns: Column[] = [
    null,
    ...stages
      .filter(({ id, archived }) => !archived || (counts.get(id) ?? 0) > 0)
      .map(({ id, name }) => ({ id, name })),
  ]
  return Promise.all(
    columns.map(async (stage) => {
      const query = { ...Object.fromEntries(filters), stage: stage?.id ?? 'none', status, timeZone }
      const { total: found, ...first } = await firstOf(reading, { kind, caller, query, total })
      return { stage, ...(isFiltered ? countIn(found) : { count: counts.get(stage?.id ?? null) ?? 0 }), ...first }
    }),
  )
}

/** The number in the total of a list: `12`, or `50+`. */
const countIn = (total: string) => ({
  count: Number.parseInt(total, 10),
  ...(total.endsWith('+') && { isMore: true as const }),
})

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

/** `total`: the number of records of the kind, where the list is to be counted. */
async function firstOf(reading: Reading, { kind, caller, query, total }: ColumnRequest) {
  const list = { kind, query: await recordQuery(reading, kind, caller, query), limit: BOARD_COLUMN, after: undefined }
  const found = await (total === undefined
    ? scan(reading.db, list)
    : searchRecords(reading.db, { ...list, count: total }))
  const rows = await getRecords(reading.db, kind, caller, found.ids.slice(0, BOARD_COLUMN))
  if (found.next === undefined) return { rows, total: found.total }
  const parameters = Object.entries({ ...query, limit: BOARD_COLUMN }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  const path = `/api/${kind.path}?${new URLSearchParams(parameters)}`
  return { rows, total: found.total, next: `${path}&cursor=${cursorOf(newest, path, found.next)}` }
}
