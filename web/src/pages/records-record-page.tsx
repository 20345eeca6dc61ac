import { RecordScreen } from '#web/record-page/record-screen.tsx'
import type { RecordKind } from '#web/records/kind.ts'

export const RecordPage = ({ kind }: { kind: RecordKind }) => <RecordScreen kind={kind} />
