import { IconHistory } from '@tabler/icons-react'
import type { RecordKind } from '#web/records/kind.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { useOpenHistory } from './history-provider.tsx'

type HistoryButtonProps = { kind: RecordKind; record: { id: string; name: string } }

export const HistoryButton = ({ kind, record }: HistoryButtonProps) => {
  const openHistory = useOpenHistory()
  return (
    <IconButton
      label={`History of ${record.name}`}
      tip="History"
      icon={<IconHistory size={20} stroke={1.5} />}
      onClick={() => openHistory({ kind, id: record.id, name: record.name })}
    />
  )
}
