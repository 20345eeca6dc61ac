import type { RecordKind } from '#web/records/kind.ts'

export type LinkRecordProps = { own: { kind: RecordKind; id: string }; linkedKind: RecordKind; linkedIds: string[] }
