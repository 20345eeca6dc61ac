import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { listLinks } from '#web/links/api.ts'
import { findCompanion, movesAlong, useMovesAlong } from './along.ts'
import type { PipelinePanelProps } from './panel-props.ts'
import classes from './stage-menu.module.css'

type AlongItemProps = PipelinePanelProps & { stageId: string | null }

/** In a menu of stages: whether the linked company moves along. Absent without one. */
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
          <bdi>{companion.name}</bdi> moves along
        </span>
      </Menu.CheckboxItem>
    </>
  )
}
