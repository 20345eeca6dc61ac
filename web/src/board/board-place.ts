import { statuses } from '#contract/status.ts'
import { kinds } from '#web/kinds.ts'
import type { RecordKind } from '#web/records/kind.ts'

/** The kind and the status that an address of the board shows. */
export const boardIn = (parameters: URLSearchParams) => ({
  kind: kinds.find(({ path }) => path === parameters.get('show')) ?? (kinds[0] as RecordKind),
  status: statuses.find((one) => one === parameters.get('status')) ?? ('active' as const),
})
