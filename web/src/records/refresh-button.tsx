import { IconRefresh } from '@tabler/icons-react'
import { IconButton } from '#web/ui/icon-button.tsx'
import type { Refreshing } from './use-refresh.ts'

type RefreshButtonProps = { record: { id: string; name: string }; refreshing: Refreshing }

export const RefreshButton = ({ record, refreshing }: RefreshButtonProps) => (
  <IconButton
    label={`Refresh ${record.name}`}
    tip="Refresh"
    icon={<IconRefresh size={20} stroke={1.5} />}
    loading={refreshing.id === record.id}
    disabled={refreshing.isBusy}
    onClick={() => refreshing.start(record)}
  />
)
