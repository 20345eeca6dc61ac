import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { listLinks } from '#web/links/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { companionAmong, LOOKED_AT, movesAlong, useMovesAlong } from './along.ts'
import { getPipeline } from './api.ts'
import classes from './stage-menu.module.css'

type AlongItemProps = { kind: RecordKind; record: { id: string }; stageId: string | null }

/** In a menu of stages: whether the linked company moves too. Absent without one. */
export function AlongItem({ kind, record, stageId }: AlongItemProps) {
  const isOn = useMovesAlong()
  const { data } = useInfiniteQuery(listLinks({ kind, id: record.id }))
  const links = data?.pages.flatMap(({ rows }) => rows).slice(0, LOOKED_AT) ?? []
  const pipelines = useQueries({ queries: links.map(({ id }) => getPipeline(id)) })
  const linked = links.flatMap(({ name }, index) => {
    const pipeline = pipelines[index]?.data
    return pipeline ? [{ name, stageId: pipeline.stage?.id ?? null }] : []
  })
  const companion = linked.length === links.length ? companionAmong(linked, stageId) : undefined
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
