import { useMutation } from '@tanstack/react-query'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import type { Status } from '#contract/status.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { LoadingButton } from '#web/ui/buttons/loading-button.tsx'
import { type Column, columnKey, loadMoreOf } from './api.ts'
import classes from './board.module.css'

/** The height of a card, in pixels. */
export const CARD = 104
const GAP = 8

type BoardColumnProps = {
  kind: RecordKind
  status: Status
  column: Column
  name: string
  /** Whether a card that is on its way would be dropped here. */
  isOver: boolean
  isTarget: boolean
  children: (record: RecordRow) => ReactNode
}

/** A column with its count. Only the cards in sight are drawn, and the one with the focus. */
export function BoardColumn({ kind, status, column, name, isOver, isTarget, children }: BoardColumnProps) {
  const key = columnKey(column)
  const { records, count, next } = column
  const scroller = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string>()
  const more = useMutation(loadMoreOf(kind, status, key))
  const place = records.findIndex(({ id }) => id === focused)
  const virtualizer = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((place: number) => records[place]?.id ?? place, [records]),
    estimateSize: () => CARD,
    gap: GAP,
    overscan: 4,
    initialRect: { width: 260, height: 600 },
    rangeExtractor: useCallback(
      (range: Range) => {
        const drawn = new Set([...defaultRangeExtractor(range), place - 1, place, place + 1])
        return [...drawn].filter((one) => one >= 0 && one < range.count).sort((a, b) => a - b)
      },
      [place],
    ),
  })
  return (
    <section className={classes.column} aria-label={name} data-column={key} data-over={isOver || undefined}>
      <h2 className={classes.head}>
        <bdi className={classes.stage}>{name}</bdi>
        <span className={classes.count}>
          {count.toLocaleString('en')}
          <span className="visually-hidden"> {count === 1 ? kind.name : kind.path}</span>
        </span>
      </h2>
      <div ref={scroller} className={classes.body}>
        {isOver && isTarget && <p className={classes.here}>Move here</p>}
        {records.length === 0 && !isOver && <p className={classes.none}>None</p>}
        <ul
          className={classes.cards}
          style={{ height: virtualizer.getTotalSize() }}
          aria-label={`${kind.plural} in ${name}`}
        >
          {virtualizer.getVirtualItems().map(({ index, start, key }) => {
            const record = records[index]
            return (
              record && (
                <li
                  key={key}
                  aria-setsize={count}
                  aria-posinset={index + 1}
                  className={classes.place}
                  style={{ top: start, height: CARD }}
                  onFocus={() => setFocused(record.id)}
                >
                  {children(record)}
                </li>
              )
            )
          })}
        </ul>
        {next && (
          <div className={classes.more}>
            <LoadingButton variant="default" size="xs" loading={more.isPending} onClick={() => more.mutate(column)}>
              Load more
            </LoadingButton>
          </div>
        )}
      </div>
    </section>
  )
}
