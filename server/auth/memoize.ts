/** A bound on memory: far more than fellows are at work at once. */
const KNOWN_MAX = 10_000

/**
 * Remembers what a check found of a text, as every request of a session shows the same signatures again. What it finds to
 * be nothing is checked anew each time: nobody fills the memory with what is not signed by us.
 */
export function memoize<Found>(check: (text: string) => Found | undefined): (text: string) => Found | undefined {
  const known = new Map<string, Found>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const found = check(text)
    if (found === undefined) return undefined
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(text, found)
    return found
  }
}
