// How high the rows of a list turned out to be, so that a list that is shown again is at once as long as it was, and
// going back finds the place that was left.

/** Of a row that has not been drawn yet: a card of five short lines. Where the window is narrow, its parts are stacked. */
const typical = () => (window.innerWidth < 768 ? 252 : 132)

type RowHeights = ReturnType<typeof createRowHeights>

const createRowHeights = () => {
  const known = new Map<string, number>()
  return {
    of: (id: string) => known.get(id) ?? typical(),
    keep: (id: string, height: number) => known.set(id, height),
    /** The places of the first rows that have not been measured, at most `count`. */
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

/** The heights of the list with this name, as long as the window keeps its width. */
export const rowHeights = (name: string) => {
  if (measuredAt !== window.innerWidth) lists.clear()
  measuredAt = window.innerWidth
  const heights = lists.get(name) ?? createRowHeights()
  lists.set(name, heights)
  return heights
}
