/** A bound on memory, far above the number of fellows who work at the same time. */
const KNOWN_MAX = 10_000

/**
 * Caches the results of a check, because every request of a session brings the same signatures. Does not cache
 * undefined, so that forged values cannot fill the memory.
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
