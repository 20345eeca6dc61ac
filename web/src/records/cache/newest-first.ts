/** The fields that determine the position of a row in a list. */
export type Placed = { id: string; createdAt: string }

/**
 * The order of every list. All times have the same format, so they compare as text. Between equal times
 * the id decides, because ids increase with time.
 */
export const newestFirst = (a: Placed, b: Placed) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id)

const compare = (a: string, b: string) => Number(a > b) - Number(a < b)
