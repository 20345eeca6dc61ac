import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { listLinks } from '#web/links/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { findCompanion, movesAlong, useMovesAlong } from './along.ts'
import classes from './stage-menu.module.css'

type AlongItemProps = { kind: RecordKind; record: { id: string }; stageId: string | null }

/** In a menu of stages: whether the linked company moves too. Absent without one. */
export function AlongItem({ kind, record, stageId }: AlongItemProps) {
  const client = useQueryClient()
  const isOn = useMovesAlong()
  const { data: links } = useInfiniteQuery(listLinks({ kind, id: record.id }))
  const linked = links?.pages[0]?.rows.map(({ id }) => id) ?? []
  const { data: companion } = useQuery({
    queryKey: ['pipeline', 'companion', record.id, stageId, linked],
    queryFn: async () => (await findCompanion(client, kind, { id: record.id, stageId })) ?? null,
    enabled: linked.length > 0,
  })
  if (!companion) return null
  return (
    <>
      <Menu.Divider />
      <Menu.CheckboxItem
        checked={isOn}
        onChange={movesAlong.set}
        checkIcon={<IconCheck size={16} stroke={1.5} aria-hidden="true" />}
        classNames={{ itemIndicator: classes.space ?? '' }}
      >
        <span className={classes.label}>
          Move the linked company too
          <bdi className={classes.below}>{companion.name}</bdi>
        </span>
      </Menu.CheckboxItem>
    </>
  )
}
