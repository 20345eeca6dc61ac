import { useMergedRef } from '@mantine/hooks'
import { memo, type ReactNode, type Ref, useEffect, useMemo, useRef, useState } from 'react'
import { focusWhenLost } from '#web/ui/focus.ts'
import { useVirtualRows } from './use-virtual-rows.ts'
import classes from './virtual-list.module.css'

type Item = { id: string }

type VirtualListProps<Row extends Item> = {
  /** Lists with the same name share the measured heights of their rows. */
  name: string
  label?: string
  ref?: Ref<HTMLUListElement>
  rows: Row[]
  /** The number of rows, including those not loaded yet. Undefined if they have not been counted. */
  total: number | undefined
  isBusy: boolean
  /** Whether a row stays in the document when it is scrolled far away. */
  isKept?: (row: Row) => boolean
  /** Shown in place of the rows, which keep their space. */
  cover?: ReactNode
  children: (row: Row) => ReactNode
}

/**
 * Renders a list of up to 200 rows in full, and only the rows near the window of a longer one. The row that last had
 * the focus stays, and its neighbours with it, so that Tab continues from there.
 */
export const VirtualList = <Row extends Item>({
  name,
  label,
  ref,
  rows,
  total,
  isBusy,
  isKept,
  cover,
  children,
}: VirtualListProps<Row>) => {
  const [focused, setFocused] = useState<string>()
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const kept = useMemo(
    () =>
      rows.flatMap((row, place) => {
        if (row.id === focused) return [place - 1, place, place + 1]
        return isKept?.(row) ? place : []
      }),
    [rows, focused, isKept],
  )
  const virtual = useVirtualRows({ name, ids, kept })
  const list = useRef<HTMLUListElement>(null)
  const place = useMergedRef(ref, virtual.ref, list)

  // The row that had the focus has it again after the cover.
  const isCovered = Boolean(cover)
  useEffect(() => {
    if (!isCovered && focused !== undefined) focusWhenLost(rowIn(list.current, focused))
  }, [isCovered, focused])

  if (cover)
    return (
      <div className={classes.list} style={{ height: virtual.height }}>
        <div className={classes.cover}>{cover}</div>
      </div>
    )
  return (
    <ul
      ref={place}
      tabIndex={-1}
      aria-label={label}
      aria-busy={isBusy}
      className={classes.list}
      data-whole={virtual.isWhole || undefined}
      style={{ height: virtual.isWhole ? 'auto' : virtual.height }}
    >
      {virtual.rows.map(({ place, top }) => {
        const row = rows[place]
        return (
          row && (
            <li
              key={row.id}
              ref={virtual.measure}
              data-index={place}
              data-id={row.id}
              tabIndex={-1}
              aria-setsize={total ?? -1}
              aria-posinset={place + 1}
              className={classes.row}
              style={virtual.isWhole ? undefined : { top }}
              onFocus={() => setFocused(row.id)}
            >
              <Drawn row={row} draw={children as (row: Item) => ReactNode} />
            </li>
          )
        )
      })}
    </ul>
  )
}

const rowIn = (list: HTMLElement | null, id: string) =>
  list?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`) ?? null

/** Moves the focus from a row about to be removed to the next row, else to the previous one, else to the list. */
export const focusBeside = (list: HTMLElement | null, id: string) => {
  const row = rowIn(list, id)
  const beside = row?.nextElementSibling ?? row?.previousElementSibling ?? list
  if (beside instanceof HTMLElement) beside.focus({ preventScroll: true })
}

/** Memoized, so that scrolling renders only new rows. */
const Drawn = memo(({ row, draw }: { row: Item; draw: (row: Item) => ReactNode }) => draw(row))
