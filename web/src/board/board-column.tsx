import { useMutation } from '@tanstack/react-query'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { newestFirst } from '#web/records/cache/newest-first.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { LoadingButton } from '#web/ui/buttons/loading-button.tsx'
import { grouped } from '#web/ui/shown-count.ts'
import { type Column, columnKey, loadMoreOf } from './api.ts'
import classes from './board.module.css'
import type { Place } from './board-place.ts'
import { useInSight } from './use-in-sight.ts'

/** The height of a card, in pixels. */
export const CARD = 104
const GAP = 8
/** The least width of a column, in pixels. */
export const COLUMN = 248

type BoardColumnProps = {
  /** What the board shows. */
  place: Place
  column: Column
  name: string
  /** Whether its cards are drawn; their room is kept. */
  isDrawn: boolean
  /** Whether a card that is on its way would be dropped here. */
  isOver: boolean
  /** The card that would be dropped here, in the meantime. Its own column has no such place. */
  landing: RecordRow | undefined
  /** `isInSight`: the column is in the window, or has been. */
  children: (record: RecordRow, isInSight: boolean) => ReactNode
}

/** A column with its count. Only the cards in sight are drawn, and the one with the focus. */
export function BoardColumn({
  place: { kind, ...shown },
  column,
  name,
  isDrawn,
  isOver,
  landing,
  children,
}: BoardColumnProps) {
  const key = columnKey(column)
  const { count, isMore, next } = column
  const records = useMemo(
    () => (landing ? [...column.records, landing].sort(newestFirst) : column.records),
    [column.records, landing],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const isInSight = useInSight(scroller)
  const [focused, setFocused] = useState<string>()
  const more = useMutation(loadMoreOf({ kind, ...shown }, key))
  const place = records.findIndex(({ id }) => id === focused)
  const virtualizer = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((place: number) => records[place]?.id ?? place, [records]),
    estimateSize: () => CARD,
    gap: GAP,
    overscan: 2,
    initialRect: { width: 260, height: 600 },
    rangeExtractor: useCallback(
      (range: Range) => {
        const drawn = new Set([...defaultRangeExtractor(range), place - 1, place, place + 1])
        return [...drawn].filter((one) => one >= 0 && one < range.count).sort((a, b) => a - b)
      },
      [place],
    ),
  })
  const landingPlace = landing ? records.indexOf(landing) : -1
  useEffect(() => {
    if (landingPlace >= 0) virtualizer.scrollToIndex(landingPlace)
  }, [virtualizer, landingPlace])
  return (
    <section className={classes.column} aria-label={name} data-column={key} data-over={isOver || undefined}>
      <h2 className={classes.head}>
        <bdi className={classes.stage}>{name}</bdi>
        <span className={classes.count}>
          {grouped(count)}
          {isMore && '+'}
          <span className="visually-hidden"> {count === 1 ? kind.name : kind.path}</span>
        </span>
      </h2>
      <div ref={scroller} className={classes.body}>
        {records.length === 0 && !isOver && <p className={classes.none}>None</p>}
        <ul
          className={classes.cards}
          style={{ height: virtualizer.getTotalSize() }}
          aria-label={`${kind.plural} in ${name}`}
        >
          {(isDrawn ? virtualizer.getVirtualItems() : []).map(({ index, start, key }) => {
            const record = records[index]
            return (
              record &&
              (record === landing ? (
                <li key={key} className={classes.place} style={{ top: start, height: CARD }} aria-hidden="true">
                  <div className={classes.here}>Moves here</div>
                </li>
              ) : (
                <li
                  key={key}
                  aria-setsize={count}
                  aria-posinset={index + 1}
                  className={classes.place}
                  style={{ top: start, height: CARD }}
                  onFocus={() => setFocused(record.id)}
                >
                  {children(record, isInSight)}
                </li>
              ))
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
