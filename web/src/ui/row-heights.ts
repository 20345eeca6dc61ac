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
export const rowHeights = (name: string) => {
  if (measuredAt !== window.innerWidth) lists.clear()
  measuredAt = window.innerWidth
  const heights = lists.get(name) ?? createRowHeights()
  lists.set(name, heights)
  return heights
}
