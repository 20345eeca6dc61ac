/** What places a row in a list. */
export type Placed = { id: string; createdAt: string }

/**
 * The order of every list. Times of the wire have one form, so they compare as text; ids, which grow with time, decide
 * between equals.
 */
export const newestFirst = (a: Placed, b: Placed) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id)

const compare = (a: string, b: string) => Number(a > b) - Number(a < b)
