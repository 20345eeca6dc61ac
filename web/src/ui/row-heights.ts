// How high the rows of a list turned out to be, so that a list that is shown again is at once as long as it was, and
// going back finds the place that was left.

/** For a row that has not been drawn yet: where the window is narrow, its parts stand one above the other. */
const typical = () => (window.innerWidth < 768 ? 340 : 196)

const heights = new Map<string, Map<string, number>>()
let measuredAt = 0

/** The heights of the list with this name, as long as the window keeps its width. */
export const rowHeights = (list: string) => {
  if (measuredAt !== window.innerWidth) heights.clear()
  measuredAt = window.innerWidth
  const known = heights.get(list) ?? new Map<string, number>()
  heights.set(list, known)
  return {
    of: (id: string) => known.get(id) ?? typical(),
    keep: (id: string, height: number) => known.set(id, height),
  }
}
