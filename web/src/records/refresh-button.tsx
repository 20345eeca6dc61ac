import { IconRefresh } from '@tabler/icons-react'
import type { Kind } from '#contract/kinds.ts'
import { useRights } from '#web/session/use-rights.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import type { Refreshing } from './use-refresh.ts'

type RefreshButtonProps = { kind: Kind; record: { id: string; name: string }; refreshing: Refreshing }

export const RefreshButton = ({ kind, record, refreshing }: RefreshButtonProps) =>
  useRights()('change') && (
    <IconButton
      label={`Refresh ${record.name}`}
      tip="Refresh"
      icon={<IconRefresh size={20} stroke={1.5} />}
      loading={refreshing.id === record.id}
      disabled={refreshing.isBusy}
      onClick={() => refreshing.start(kind, record)}
    />
  )
