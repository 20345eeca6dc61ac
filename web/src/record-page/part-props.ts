import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'

/** What the parts of the page need. `account` owns the drafts. */
export type PartProps = { kind: RecordKind; record: RecordRow; account: string }
