import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Menu.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowMerge, IconDots, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useGoBack } from '#web/lib/use-go-back.ts'
import type { OpenEdits } from '#web/my-records/use-open-edits.ts'
import { useDelete } from '#web/my-records/use-record-changes.ts'
import { searchPath } from '#web/paths.ts'
import { refetchRecord } from '#web/records/cache/list-cache.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useRefresh } from '#web/records/use-refresh.ts'
import { focusWhenLost } from '#web/ui/focus.ts'
import { useCommand } from '#web/ui/keys/commands.ts'
import classes from './record-page.module.css'

type RecordMenuProps = {
  ref: RefObject<HTMLButtonElement | null>
  kind: RecordKind
  record: RecordRow
  edits: OpenEdits
  /** Undefined for those who may not edit the record. */
  onEdit: (() => void) | undefined
  onMerge: () => void
}

/** What else can be done with a record. */
export function RecordMenu({ ref, kind, record, edits, onEdit, onMerge }: RecordMenuProps) {
  const client = useQueryClient()
  const goBack = useGoBack(searchPath(kind))
  const { askAndDelete, isPending } = useDelete(kind, edits, record, goBack)
  const refreshing = useRefresh({
    success: kind.texts.refreshed,
    failure: `Failed to refresh ${kind.name} data`,
    reload: (kind, id) => refetchRecord(client, kind, id),
  })
  const { can } = record
  useCommand('Merge with…', onMerge)
  useCommand('Refresh', refreshing.isBusy ? undefined : () => refreshing.start(kind, record))
  useCommand('Delete', can.delete && !isPending ? askAndDelete : undefined)
  return (
    <Menu
      position="bottom-end"
      width={260}
      transitionProps={{ duration: 0 }}
      withinPortal={false}
      // The forms that it opens take the focus.
      returnFocus={false}
      onClose={() => requestAnimationFrame(() => focusWhenLost(ref.current))}
    >
      <Menu.Target>
        <ActionIcon
          ref={ref}
          variant="default"
          size={36}
          className={classes.more ?? ''}
          aria-label={`More for ${record.name}`}
          title="More"
          loading={refreshing.id === record.id}
        >
          <IconDots size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onEdit && (
          <Menu.Item
            leftSection={<IconPencil size={18} stroke={1.5} />}
            title="Edit all fields (E)"
            aria-keyshortcuts="E"
            onClick={onEdit}
          >
            Edit all fields…
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconRefresh size={18} stroke={1.5} />}
          disabled={refreshing.isBusy}
          onClick={() => refreshing.start(kind, record)}
        >
          Refresh
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowMerge size={18} stroke={1.5} />} onClick={onMerge}>
          Merge with…
        </Menu.Item>
        <Menu.Divider />
        {can.delete && (
          <Menu.Item
            className={classes.delete ?? ''}
            leftSection={<IconTrash size={18} stroke={1.5} />}
            disabled={isPending}
            onClick={askAndDelete}
          >
            Delete
          </Menu.Item>
        )}
        {!can.delete && can.whyNotDelete && <Menu.Label>{can.whyNotDelete}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  )
}
