/**
 * Searches that are known to find more than are counted. To count them again is most of what a search of a common term
 * costs, and pages and keystrokes ask again and again. New records can only add to them, so they are known until
 * anything else happens to any record, which every process hears of; `forget` is for that.
 */
export function openMany() {
  const known = new Set<string>()
  let age = 0
  return {
    has: (search: string) => known.has(search),
    /** To be asked for before counting; what it answers adds the search unless something was forgotten meanwhile. */
    watch: () => {
      const before = age
      return (search: string) => {
        if (age !== before) return
        if (known.size >= KNOWN_MAX) known.clear()
        known.add(search)
      }
    },
    forget: () => {
      age += 1
      known.clear()
    },
  }
}

export type Many = ReturnType<typeof openMany>

/** A bound on memory; people search for far fewer things in a day. */
const KNOWN_MAX = 10_000
