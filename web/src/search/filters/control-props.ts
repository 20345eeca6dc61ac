import type { Kind } from '#contract/kinds.ts'
import type { Changes, RecordQuery } from '#web/records/cache/record-query.ts'

export type Filters = RecordQuery['filters']

/** What the control of a filter shows and changes. An empty value removes a filter. */
export type ControlProps = { kind: Kind; filters: Filters; change: (changes: Changes) => void }
