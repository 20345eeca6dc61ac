import { IconHistory } from '@tabler/icons-react'
import { IconButton } from '#web/ui/icon-button.tsx'
import type { HistoryPlace } from './api.ts'
import { useOpenHistory } from './history-provider.tsx'

type HistoryButtonProps = { record: { id: string; name: string }; place: HistoryPlace }

export const HistoryButton = ({ record, place }: HistoryButtonProps) => {
  const openHistory = useOpenHistory()
  return (
    <IconButton
      label={`History of ${record.name}`}
      tip="History"
      icon={<IconHistory size={20} stroke={1.5} />}
      onClick={() => openHistory({ ...place, id: record.id, name: record.name })}
    />
  )
}
