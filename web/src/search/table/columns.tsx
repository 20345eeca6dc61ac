import { IconCheck, IconPlayerPause, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { NOT_STARTED, statusWords } from '#contract/status.ts'
import { formatDay } from '#web/lib/dates.ts'
import { hasStep, StepLine } from '#web/pipeline/step-line.tsx'
import type { RecordQuery, SortName } from '#web/records/cache/record-query.ts'
import { Rating } from '#web/records/card/rating.tsx'
import { RecordLink } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { Highlight } from '#web/records/list/highlight.tsx'
import type { RecordRow } from '#web/records/record-row.ts'
import classes from './record-table.module.css'

type CellProps = { kind: RecordKind; record: RecordRow; query: RecordQuery }

type Column = {
  name: string
  /** The sort of the column, if lists can be sorted by it. */
  sort?: SortName
  className: string | undefined
  Cell: (props: CellProps) => ReactNode
}

const FinderNames = ({ record: { finders, createdBy } }: CellProps) => {
  const { names, count } = finders ?? { names: createdBy === null ? [] : [createdBy], count: 1 }
  const others = count - 1
  return (
    <span title={names.join(', ')}>
      <bdi>{names[0]}</bdi>
      {others > 0 && ` +${others}`}
    </span>
  )
}

const statusIcons = { on_hold: IconPlayerPause, passed: IconX, advanced: IconCheck }

const StageCell = ({ record: { pipeline } }: CellProps) => {
  if (!pipeline) return null
  const { stage, status } = pipeline
  if (status === 'active') return <bdi>{stage?.name}</bdi>
  const Icon = statusIcons[status]
  return (
    <>
      <bdi>{stage?.name ?? NOT_STARTED}</bdi>{' '}
      <span className={classes.status}>
        <Icon size={14} stroke={1.5} aria-hidden="true" /> {statusWords[status]}
      </span>
    </>
  )
}

const ofKind = (kind: RecordKind): Column[] =>
  kind.columns.map(({ name, text }) => ({
    name,
    className: classes.about,
    Cell: ({ record, query }) => (
      <bdi>
        <Highlight text={text(record)} search={query.search} />
      </bdi>
    ),
  }))

export const columnsOf = (kind: RecordKind): Column[] => [
  {
    name: 'Name',
    className: classes.name,
    Cell: ({ kind, record, query }) => (
      <>
        <RecordLink kind={kind} record={record} query={query}>
          <bdi>
            <Highlight text={record.name} search={query.search} />
          </bdi>
        </RecordLink>
        <span className={classes.below}>
          <bdi>{kind.columns[0]?.text(record)}</bdi>
        </span>
      </>
    ),
  },
  ...ofKind(kind),
  { name: 'Rating', sort: 'rating', className: classes.rating, Cell: Rating },
  { name: 'Stage', sort: 'stageAge', className: classes.stage, Cell: StageCell },
  {
    name: 'Next step',
    className: classes.step,
    Cell: ({ record: { pipeline } }) => pipeline && hasStep(pipeline) && <StepLine step={pipeline} />,
  },
  { name: 'By', className: classes.by, Cell: FinderNames },
  { name: 'Added', sort: 'newest', className: classes.added, Cell: ({ record }) => formatDay(record.createdAt) },
  {
    name: 'Notes',
    sort: 'lastNote',
    className: classes.notes,
    Cell: ({ record: { notesCount, notesPreview } }) =>
      notesCount > 0 && (
        <>
          <span className={classes.count}>{notesCount}</span> <bdi>{notesPreview[0]?.content}</bdi>
        </>
      ),
  },
]
