import { withArticle } from '#contract/plain-text.ts'
import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import '#web/ui/touch-targets.css'
import { Button, SegmentedControl, Skeleton } from '@mantine/core'
import { IconLayoutKanban } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useRef } from 'react'
import { NOT_STARTED, statuses, statusWords } from '#contract/status.ts'
import { kinds } from '#web/kinds.ts'
import { useParameters } from '#web/lib/use-parameters.ts'
import { listStages } from '#web/pipeline/api.ts'
import { PipelinePrompts } from '#web/pipeline/prompts/pipeline-prompts.tsx'
import type { PipelineChange } from '#web/pipeline/words.ts'
import { AddButton } from '#web/records/add-button.tsx'
import { allRecords, type Changes, filtersIn, offeredParameters } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { FilterChips } from '#web/search/filters/filter-chips.tsx'
import { ViewsRow } from '#web/searches/views-row.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { useLoadingState } from '#web/ui/states/use-loading-state.ts'
import { type Column, columnKey, getBoard } from './api.ts'
import classes from './board.module.css'
import { BoardCard, CardText } from './board-card.tsx'
import { BoardColumn, CARD, COLUMN } from './board-column.tsx'
import { boardIn, boardsOwn, type Place } from './board-place.ts'
import { withMoves } from './moves.ts'
import { useBoardMoves } from './use-board-moves.ts'
import { useDrag } from './use-drag.ts'
import { useEdges } from './use-edges.ts'
import { useKeyboardDrag } from './use-keyboard-drag.ts'

/** The records of a kind by stage. Which kind, which status and which filters is in the address. */
export function Board() {
  const [parameters, change] = useParameters()
  const place = boardIn(parameters)
  const { kind, status, filters } = place
  const set = (changes: Changes & { show?: string }) => change(changes, { preventScrollReset: true })
  const clearFilters = () => {
    const offered = offeredParameters(kind).map(([name]) => name)
    set(Object.fromEntries(offered.filter((name) => !boardsOwn.some((own) => own === name)).map((name) => [name, ''])))
  }
  return (
    <div className={classes.root}>
      <ViewsRow key={kind.path} kind={kind} isBoard />
      <div className={classes.bar}>
        <SegmentedControl
          aria-label="Kind"
          size="xs"
          classNames={{ label: classes.choice ?? '' }}
          value={kind.path}
          data={kinds.map(({ path, plural }) => ({ value: path, label: plural }))}
          onChange={(value) => set({ show: value === kinds[0]?.path ? '' : value })}
        />
        <SegmentedControl
          aria-label="Status"
          size="xs"
          classNames={{ label: classes.choice ?? '' }}
          value={status}
          data={statuses.map((value) => ({ value, label: statusWords[value] }))}
          onChange={(value) => set({ status: value === 'active' ? '' : value })}
        />
        <FilterChips
          kind={kind}
          finding={{ query: { ...allRecords, filters }, change: set, clearFilters }}
          omitted={boardsOwn}
        />
      </div>
      <PipelinePrompts />
      <Columns key={`${kind.path} ${status}`} place={place} clearFilters={clearFilters} />
    </div>
  )
}

type ColumnsProps = { place: Place; clearFilters: () => void }

function Columns({ place, clearFilters }: ColumnsProps) {
  const { kind, filters } = place
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    ...getBoard(place),
    // While other filters load, the cards of the last ones stay.
    placeholderData: keepPreviousData,
  })
  const isLoading = useLoadingState(isPending)
  if (isLoading) return <BoardSkeleton kind={kind} />
  if (!data) return <ErrorState title="The pipeline could not be loaded" error={error} retry={refetch} />
  if (data.every(({ count }) => count === 0))
    return <Nothing place={place} clear={filtersIn(filters).length > 0 && clearFilters} />
  return <Loaded place={place} data={data} isBusy={isPlaceholderData} />
}

/** The columns that the window has room for. */
const columnsInWindow = () => Math.ceil(window.innerWidth / COLUMN)

const nameOf = ({ stage }: Column) => stage?.name ?? NOT_STARTED

function Loaded({ place, data, isBusy }: { place: Place; data: Column[]; isBusy: boolean }) {
  const { kind, status, filters } = place
  const { data: stages = [] } = useQuery(listStages)
  const { moves, move } = useBoardMoves(kind)
  const board = useRef<HTMLDivElement>(null)
  const moved = useRef<string>(undefined)
  const columns = withMoves(data, moves)
  // On a phone most columns are out of sight: their cards do not delay the others.
  const drawn = useDeferredValue(columns.length, columnsInWindow())

  // No record is moved into an archived stage.
  const mayDrop = (key: string) => key === 'none' || stages.some(({ id, archived }) => id === key && !archived)
  const drop = (record: RecordRow, to: string) => {
    void move(record, { stage: to === 'none' ? null : to })
  }
  const drag = useDrag({ board, mayDrop, onDrop: drop })
  const carry = useKeyboardDrag({
    ...{ columns, mayDrop, nameOf },
    onDrop: (record, to) => {
      moved.current = record.id
      drop(record, to)
    },
  })
  const over = drag.dragged?.over ?? carry.carried?.over
  const from = drag.dragged?.from ?? carry.carried?.from
  const dragged = drag.dragged?.record
  const moving = dragged ?? carry.carried?.record
  const edges = useEdges(board)

  // The card that was carried is drawn in another column, and takes the focus there.
  useEffect(() => {
    const id = moved.current
    if (id === undefined || document.activeElement !== document.body) return
    const grip = document.querySelector<HTMLElement>(`[data-grip="${CSS.escape(id)}"]`)
    grip?.focus()
    grip?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (!moves.has(id)) moved.current = undefined
  })
  return (
    <>
      <p role="status" className="visually-hidden">
        {carry.said}
      </p>
      {/* A click that ends a drag opens nothing. */}
      <div className={classes.frame} data-more={edges}>
        <div
          ref={board}
          className={classes.board}
          aria-busy={isBusy}
          data-dragging={dragged !== undefined || undefined}
          onClickCapture={(event) => {
            if (!drag.hasDragged.current) return
            event.preventDefault()
            event.stopPropagation()
          }}
        >
          {columns.map((column, index) => {
            const key = columnKey(column)
            const query = { ...allRecords, filters: { ...filters, stage: key, status } }
            return (
              <BoardColumn
                key={key}
                {...{ place, column }}
                isDrawn={index < drawn}
                name={nameOf(column)}
                isOver={over === key}
                landing={over === key && key !== from ? moving : undefined}
              >
                {(record, isInSight) => (
                  <BoardCard
                    {...{ kind, record, stages, query, isInSight }}
                    isMoving={moves.has(record.id)}
                    isCarried={carry.carried?.record.id === record.id || dragged?.id === record.id}
                    onPointerDown={(event) => drag.begin(event, record, key)}
                    onGripKey={(event) => carry.press(event, record, key)}
                    onGripBlur={carry.cancel}
                    onChoose={(change: PipelineChange) => {
                      moved.current = record.id
                      void move(record, change)
                    }}
                  />
                )}
              </BoardColumn>
            )
          })}
        </div>
      </div>
      {dragged && (
        <div ref={drag.ghost} className={classes.ghost} style={{ width: drag.dragged?.width }} aria-hidden="true">
          <div className={classes.card}>
            <CardText {...{ kind, stages }} record={dragged} isInSight>
              <bdi>{dragged.name}</bdi>
            </CardText>
          </div>
        </div>
      )}
    </>
  )
}

function Nothing({ place: { kind, status }, clear }: { place: Place; clear: false | (() => void) }) {
  const icon = <IconLayoutKanban size={28} stroke={1.5} />
  if (clear)
    return (
      <EmptyState
        icon={icon}
        title={`No ${kind.path} match these filters`}
        text="Remove a filter to see more"
        action={
          <Button variant="default" onClick={clear}>
            Clear filters
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon={icon}
      title={status === 'active' ? `No ${kind.path} yet` : `No ${kind.path} with the status ${statusWords[status]}`}
      text={
        status === 'active'
          ? `Every ${kind.name} that is added begins here, and moves from stage to stage.`
          : `Set the status of ${withArticle(kind.name)} on its page, or in its menu here.`
      }
      action={status === 'active' && <AddButton kind={kind} />}
    />
  )
}

const COLUMNS = [4, 3, 2, 2]

/** The places of columns and cards while the board loads. */
const BoardSkeleton = ({ kind }: { kind: RecordKind }) => (
  <div className={classes.board} role="status" aria-busy="true" aria-label={`Loading the pipeline of ${kind.path}`}>
    {COLUMNS.map((cards, column) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the columns have no other key
      <div key={column} className={classes.column}>
        <div className={classes.head}>
          <Skeleton height={14} width={96} />
        </div>
        <div className={classes.body}>
          {Array.from({ length: cards }, (_, card) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nor have the cards
            <Skeleton key={card} height={CARD} mb={8} radius={8} />
          ))}
        </div>
      </div>
    ))}
  </div>
)
