import { defaultRangeExtractor, measureElement, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { whenIdle } from '#web/lib/idle.ts'
import { rowHeights } from './row-heights.ts'
import { usePrinting } from './use-printing.ts'

const GAP = 12
/** Rows drawn beyond each edge of the window, for the wheel and the keyboard to arrive at. */
const OVERSCAN = 4
/** A list of up to this many loaded rows is drawn as a whole, so that the browser's own search finds everything in it. */
const WHOLE_UP_TO = 200
/** Rows of unknown height that are drawn at once to measure them: a page of a list. */
const MEASURED_AT_ONCE = 50

type VirtualRowsOptions = {
  /** Lists of one name share what is known of their rows' heights. */
  name: string
  ids: string[]
  /** Places of rows that are drawn wherever the window is. */
  kept: number[]
}

/** Which rows of a long list are drawn, and where: those in the window, those near it, and those that must stay. */
export const useVirtualRows = ({ name, ids, kept }: VirtualRowsOptions) => {
  const isPrinting = usePrinting()
  const [list, ref] = useState<HTMLElement | null>(null)
  const [top, setTop] = useState(0)
  // What is in sight comes first; what the wheel and the keyboard arrive at next, when that stands there.
  const [isSettled, setSettled] = useState(false)
  useEffect(() => whenIdle(() => setSettled(true)), [])
  const heights = rowHeights(name)
  const keptPlaces = kept.join()
  const isWhole = isPrinting || (isSettled && ids.length <= WHOLE_UP_TO)

  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands above the list may change with its rows
  useLayoutEffect(() => {
    const place = () => list && setTop(Math.round(list.getBoundingClientRect().top + window.scrollY))
    place()
    window.addEventListener('resize', place)
    return () => window.removeEventListener('resize', place)
  }, [list, ids])

  const rangeExtractor = useCallback(
    (range: Range) => {
      if (isWhole) return Array.from({ length: range.count }, (_, place) => place)
      // The first and the last row too: by these the keyboard enters the list.
      const ends = isSettled ? [0, range.count - 1] : []
      // New rows are measured as they arrive, below the window: scrolling up meets no row of unknown height.
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
    // Within the list, what comes or goes above moves nothing that is being read. At its top, new rows come into sight.
    anchorTo: window.scrollY > top ? 'end' : 'start',
    scrollEndThreshold: Number.NEGATIVE_INFINITY,
  })

  return {
    ref,
    /** All rows are drawn, one below the other: the list is as high as they are. */
    isWhole,
    height: virtualizer.getTotalSize(),
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ place: index, top: start - top })),
    measure: virtualizer.measureElement,
  }
}
