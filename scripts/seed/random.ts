export type Random = ReturnType<typeof randomFrom>

/** Pseudo-random numbers, the same for the same seed. */
export function randomFrom(seed: string) {
  let state = hash(seed)

  /** From 0 up to 1, exclusive (mulberry32). */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 up to `end`, exclusive. */
  const below = (end: number) => Math.floor(next() * end)

  return {
    next,
    below,
    /** A whole number from `first` to `last`, inclusive. */
    between: (first: number, last: number) => first + below(last - first + 1),
    chance: (share: number) => next() < share,
    one: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    /**
     * Like `below`, but with a Zipf distribution: 1 is drawn about half as often as 0, 2 a third as often, and so on.
     */
    zipf: (end: number) => Math.floor(ZIPF_SHIFT * ((end + ZIPF_SHIFT) / ZIPF_SHIFT) ** next() - ZIPF_SHIFT),
    /** From -1 to 1, bell-shaped: two thirds within a third of 0. */
    bell: () => (next() + next() + next()) / 1.5 - 1,
    /** Returns the same array each time, with new values. */
    bytes: () => {
      for (let at = 0; at < bytes.length; at++) bytes[at] = below(256)
      return bytes
    },
  }
}

const bytes = new Uint8Array(16)

/** The start of the curve that approximates the steps of Zipf's law. */
const ZIPF_SHIFT = 0.6

/** FNV-1a. */
function hash(text: string): number {
  let sum = 2_166_136_261
  for (const char of text) sum = Math.imul(sum ^ char.charCodeAt(0), 16_777_619)
  return sum
}
