import { defaultRangeExtractor, measureElement, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { whenIdle } from '#web/lib/idle.ts'
import { usePrinting } from '#web/ui/use-printing.ts'

const GAP = 12
/** The number of rows rendered beyond each edge of the window, for scrolling and for the keyboard. */
const OVERSCAN = 4
/** A list of up to this many loaded rows is rendered in full, so that the browser's search finds everything in it. */
const WHOLE_UP_TO = 200
/** Rows of unknown height that are drawn together to measure them: a page of a list. */
const MEASURED_AT_ONCE = 50

type VirtualRowsOptions = {
  /** Lists with the same name share the measured heights of their rows. */
  name: string
  ids: string[]
  /** Indexes of rows that are always drawn. */
  kept: number[]
}

/** Decides which rows of a list are drawn, and where: those in and near the window, and those that must stay. */
export const useVirtualRows = ({ name, ids, kept }: VirtualRowsOptions) => {
  const isPrinting = usePrinting()
  const [list, ref] = useState<HTMLElement | null>(null)
  const [top, setTop] = useState(0)
  // The rows in the window are drawn first, all others when the browser is idle.
  const [isSettled, setSettled] = useState(false)
  useEffect(() => whenIdle(() => setSettled(true)), [])
  const heights = rowHeights(name)
  const keptPlaces = kept.join()
  const isWhole = isPrinting || (isSettled && ids.length <= WHOLE_UP_TO)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the content above the list may change with its rows
  useLayoutEffect(() => {
    const place = () => list && setTop(Math.round(list.getBoundingClientRect().top + window.scrollY))
    place()
    window.addEventListener('resize', place)
    return () => window.removeEventListener('resize', place)
  }, [list, ids])

  const rangeExtractor = useCallback(
    (range: Range) => {
      if (isWhole) return Array.from({ length: range.count }, (_, place) => place)
      // The keyboard enters the list by its first and its last row.
      const ends = isSettled ? [0, range.count - 1] : []
      // Rows are measured when they are loaded, below the window. So there is no row of unknown height when scrolling
      // up.
      const unknown = isSettled ? heights.unknown(ids, MEASURED_AT_ONCE) : []
      const always = keptPlaces.split(',').filter(Boolean).map(Number)
      const drawn = new Set([...defaultRangeExtractor(range), ...ends, ...unknown, ...always])
      return [...drawn].filter((place) => place >= 0 && place < range.count).sort((a, b) => a - b)
    },
    [isWhole, isSettled, keptPlaces, ids, heights],
  )

  const virtualizer = useWindowVirtualizer({
    count: ids.length,
    getItemKey: useCallback((place: number) => ids[place] ?? place, [ids]),
    estimateSize: (place) => heights.of(ids[place] ?? ''),
    measureElement: (row: HTMLElement, entry, virtualizer) => {
      const height = measureElement(row, entry, virtualizer)
      const id = ids[virtualizer.indexFromElement(row)]
      if (id !== undefined && !isPrinting) heights.keep(id, height)
      return height
    },
    gap: GAP,
    overscan: isSettled ? OVERSCAN : 0,
    scrollMargin: top,
    rangeExtractor,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    // Within the list, rows that come or go above do not move the rows in the window. At its top, new rows are shown.
    anchorTo: window.scrollY > top ? 'end' : 'start',
    scrollEndThreshold: Number.NEGATIVE_INFINITY,
  })

  return {
    ref,
    /** All rows are drawn, in the flow of the page. */
    isWhole,
    height: virtualizer.getTotalSize(),
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ place: index, top: start - top })),
    measure: virtualizer.measureElement,
  }
}

// The measured heights of the rows of lists. A list that is shown again has its full height immediately, so that Back
// restores the scroll position.

/** The estimate for a row that has not been measured: the typical card, stacked in a narrow window. */
const typical = () => (window.innerWidth < 925 ? 240 : 120)

type RowHeights = ReturnType<typeof createRowHeights>

const createRowHeights = () => {
  const known = new Map<string, number>()
  return {
    of: (id: string) => known.get(id) ?? typical(),
    keep: (id: string, height: number) => known.set(id, height),
    /** The indexes of the first rows that have not been measured, at most `count`. */
    unknown: (ids: string[], count: number) => {
      const places: number[] = []
      for (let place = 0; place < ids.length && places.length < count; place += 1)
        if (!known.has(ids[place] ?? '')) places.push(place)
      return places
    },
  }
}

const lists = new Map<string, RowHeights>()
let measuredAt = 0

/** The heights of the rows of a list. Cleared when the width of the window changes. */
const rowHeights = (name: string) => {
  if (measuredAt !== window.innerWidth) lists.clear()
  measuredAt = window.innerWidth
  const heights = lists.get(name) ?? createRowHeights()
  lists.set(name, heights)
  return heights
}
