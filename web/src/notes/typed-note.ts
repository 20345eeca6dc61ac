import type { Fellow } from '#contract/fellow.ts'
import type { MentionInput, NoteInput } from '#contract/note.ts'
import { lengthOf } from '#contract/plain-text.ts'

/** A note as it is typed. Its mentions are ranges in UTF-16 units of the text, in their order, as a text box counts. */
export type TypedNote = { text: string; mentions: MentionInput[] }

export const NO_NOTE: TypedNote = { text: '', mentions: [] }

const endOf = ({ at, length }: MentionInput) => at + length

/** What the box holds after a change that ended at the caret. A mention within which something changed is only text then. */
export function editNote(note: TypedNote, text: string, caret: number): TypedNote {
  const { text: before, mentions } = note
  if (text === before) return note
  const rest = text.slice(caret)
  // The text after the caret is as it was, unless the browser has undone something elsewhere.
  const kept = before.endsWith(rest) ? rest.length : commonLength(before.length, text.length, fromEnd(before, text))
  const start = commonLength(before.length - kept, text.length - kept, (index) => before[index] === text[index])
  const end = before.length - kept
  const moved = text.length - before.length
  return {
    text,
    mentions: mentions.flatMap((mention) => {
      if (endOf(mention) <= start) return mention
      return mention.at >= end ? { ...mention, at: mention.at + moved } : []
    }),
  }
}

const fromEnd = (one: string, other: string) => (index: number) => one.at(-index - 1) === other.at(-index - 1)

/** How many units are the same, at most as many as both have. */
function commonLength(one: number, other: number, isSame: (index: number) => boolean): number {
  const most = Math.min(one, other)
  for (let length = 0; length < most; length += 1) if (!isSame(length)) return length
  return most
}

/** Names of people are shorter. */
const TYPED_MAX = 60
/** A word character before it makes it part of an address. */
const NAMING = new RegExp(`(?<![\\p{L}\\p{N}_.@/+-])@((?!\\s)[^@\\n]{0,${TYPED_MAX}})$`, 'u')

/** The name that is being typed before the caret, and where its `@` stands. */
export function namingAt({ text, mentions }: TypedNote, caret: number): { at: number; typed: string } | undefined {
  const found = NAMING.exec(text.slice(0, caret))
  if (!found || mentions.some((mention) => mention.at <= found.index && endOf(mention) > found.index)) return undefined
  return { at: found.index, typed: found[1] ?? '' }
}

/** Names a fellow in place of what is typed from `at` to the caret, and goes on behind a space. */
export function mentionFellow(
  note: TypedNote,
  { at, caret, fellow }: { at: number; caret: number; fellow: Fellow },
): { note: TypedNote; caret: number } {
  const name = `@${fellow.name || fellow.email}`
  const after = note.text.slice(caret)
  const space = /^\s/.test(after) ? '' : ' '
  const end = at + name.length + 1
  const { text, mentions } = editNote(note, note.text.slice(0, at) + name + space + after, end - 1 + space.length)
  const added = [...mentions, { id: fellow.id, at, length: name.length }].toSorted((one, other) => one.at - other.at)
  return { note: { text, mentions: added }, caret: end }
}

/** Two notes for one box, the older one above. */
export const joinNotes = (...notes: TypedNote[]): TypedNote =>
  notes
    .filter(({ text }) => text !== '')
    .reduce((joined, { text, mentions }) => {
      if (joined.text === '') return { text, mentions }
      const above = `${joined.text}\n\n`
      const moved = mentions.map((mention) => ({ ...mention, at: above.length + mention.at }))
      return { text: above + text, mentions: [...joined.mentions, ...moved] }
    }, NO_NOTE)

/** What is sent: the trimmed text, and its mentions in code points. */
export function inputOf({ text, mentions }: TypedNote): NoteInput {
  const content = text.trim()
  const start = text.length - text.trimStart().length
  const ranges = mentions.map(({ id, at, length }) => ({
    id,
    at: lengthOf(text.slice(start, at)),
    length: lengthOf(text.slice(at, at + length)),
  }))
  return ranges.length > 0 ? { content, mentions: ranges } : { content }
}
