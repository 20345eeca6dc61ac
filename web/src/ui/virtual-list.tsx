import { useMergedRef } from '@mantine/hooks'
import { memo, type ReactNode, type Ref, useMemo, useState } from 'react'
import { useVirtualRows } from './use-virtual-rows.ts'
import classes from './virtual-list.module.css'

type Item = { id: string }

type VirtualListProps<Row extends Item> = {
  /** Lists of one name have rows of one height. */
  name: string
  label?: string
  ref?: Ref<HTMLUListElement>
  rows: Row[]
  /** How many rows there are, with those that have not been loaded; undefined where they have not been counted. */
  total: number | undefined
  isBusy: boolean
  /** Whether a row must not go, however far away it is scrolled. */
  isKept?: (row: Row) => boolean
  /** Shown in place of the rows, which keep their room meanwhile. */
  cover?: ReactNode
  children: (row: Row) => ReactNode
}

/**
 * A list of up to 200 rows is drawn as a whole; of a longer one only the rows in sight and near it, so that ten thousand
 * scroll as fifty do. The row that the keyboard was in last stays, and its neighbours with it, so that Tab goes on from
 * there.
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
  const place = useMergedRef(ref, virtual.ref)

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

/** Scrolling draws the rows that come into sight, and none of them twice. */
const Drawn = memo(({ row, draw }: { row: Item; draw: (row: Item) => ReactNode }) => draw(row))
