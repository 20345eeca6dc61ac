import { statuses } from '#contract/status.ts'
import { kinds } from '#web/kinds.ts'
import { allRecords, queryIn } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'

/** The filters of lists that the board has no place for: its columns and its switch are these. */
export const boardsOwn = ['stage', 'status'] as const

/** The kind, the status and the filters that an address of the board shows. */
export function boardIn(parameters: URLSearchParams) {
  const kind = kinds.find(({ path }) => path === parameters.get('show')) ?? (kinds[0] as RecordKind)
  const { stage: _, status: __, ...filters } = queryIn(parameters, allRecords, kind).filters
  return { kind, status: statuses.find((one) => one === parameters.get('status')) ?? ('active' as const), filters }
}

export type Place = ReturnType<typeof boardIn>
