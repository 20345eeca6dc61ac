import { NOTE_MAX } from '#contract/limits.ts'

// A text that is longer than a note becomes several notes, in order. Together they are the text, character by character.

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Where a text may end, best first. Each matches what comes before the end. */
const ENDS = [/\n\s*\n\s*/g, /\n\s*/g, /[.!?…。！？]["'”’»)\]]*\s+|[。！？]/g, /\s+/g]

/** An end is only as good as the part before it is long: this share of the longest possible part, at least. */
const SHARE = 0.5

/** The parts of a text, each with at most `max` code points. Words and characters stay whole where they fit. */
export function splitText(text: string, max = NOTE_MAX): string[] {
  const parts: string[] = []
  let rest = text
  for (;;) {
    const most = lengthOfFirst(rest, max)
    if (most === rest.length) return rest === '' ? parts : [...parts, rest]
    const end = endIn(rest, most)
    parts.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
}

/** The length in code units of the first code points of a text. */
function lengthOfFirst(text: string, points: number): number {
  let at = 0
  for (let count = 0; count < points && at < text.length; count += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}

/** The best end of a part in the first `most` code units. A character that is longer than a part is cut. */
function endIn(text: string, most: number): number {
  const longest = text.slice(0, most)
  // People see as one character what may be many code points.
  const characters = graphemes.segment(text.slice(0, most + LOOKED_AHEAD))
  const startOf = (at: number) => characters.containing(at)?.index ?? at
  for (const pattern of ENDS) {
    const end = [...longest.matchAll(pattern)]
      .map((match) => match.index + match[0].length)
      .findLast((end) => end >= most * SHARE && startOf(end) === end)
    if (end !== undefined) return end
  }
  return startOf(most) || most
}

/** Enough to see whether the next code point belongs to the character before it. */
const LOOKED_AHEAD = 2
