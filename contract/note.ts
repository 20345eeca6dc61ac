import { z } from 'zod'
import { type KindName, kinds } from './kinds.ts'
import { MENTIONS_MAX, NOTE_MAX } from './limits.ts'
import { requiredText } from './text.ts'

const NOTE_TOO_LONG = `Note must be less than ${NOTE_MAX} characters`

/** The part of a content that names a fellow, from its `@` to the end of the name, in code points. */
const range = {
  at: z.int().min(0).max(NOTE_MAX).meta({ description: 'Where its `@` stands in the trimmed content, in code points' }),
  length: z.int().min(2).max(NOTE_MAX).meta({ description: 'With the `@`, in code points' }),
}
export const MENTION_RULE = 'Each mention begins with an @ in the note, and no two overlap'

export const MentionInput = z.object({ id: z.guid().meta({ description: 'Public id of the account' }), ...range })
export type MentionInput = z.infer<typeof MentionInput>

export const Mention = MentionInput.extend({ name: z.string().meta({ description: 'The name as it is now' }) })
export type Mention = z.infer<typeof Mention>

export const NoteInput = z
  .object({
    content: requiredText('Note', NOTE_MAX, { tooLong: NOTE_TOO_LONG }),
    mentions: z
      .array(MentionInput, { error: 'Mentions must be a list' })
      .max(MENTIONS_MAX, `A note can mention fellows ${MENTIONS_MAX} times`)
      .optional(),
  })
  .refine(({ content, mentions = [] }) => mentions.length === 0 || areIn(content, mentions), {
    path: ['mentions'],
    error: MENTION_RULE,
  })
export type NoteInput = z.infer<typeof NoteInput>

/** Whether each range begins with an `@` of the text, ends in it, and overlaps no other one. */
function areIn(content: string, mentions: Pick<MentionInput, 'at' | 'length'>[]): boolean {
  const ranges = mentions.toSorted((one, other) => one.at - other.at)
  const letters = [...content]
  return ranges.every(
    ({ at, length }, index) => letters[at] === '@' && at + length <= (ranges[index + 1]?.at ?? letters.length),
  )
}

export const Note = z.object({
  id: z.uuid(),
  content: z.string(),
  author: z.string(),
  authorEmail: z.string(),
  createdAt: z.iso.datetime(),
  mentions: z.array(Mention).optional().meta({ description: 'The fellows whom it names, if any, in their order' }),
})
export type Note = z.infer<typeof Note>

/** The notes of one record, newest first, one page. `totalNotes` counts all of them. */
export const NotesAnswer = z.object({ notes: z.array(Note), totalNotes: z.number().int() })
export type NotesAnswer = z.infer<typeof NotesAnswer>

export const NoteAdded = z.object({ note: Note, totalNotes: z.number().int(), message: z.string() })
export type NoteAdded = z.infer<typeof NoteAdded>

export const NoteDeleted = z.object({ totalNotes: z.number().int(), message: z.string() })
export type NoteDeleted = z.infer<typeof NoteDeleted>

export type MyNotes = {
  [Name in KindName as `${Name}Notes`]: ({ [Id in `${Name}Id`]: string } & { notes: Note[] })[]
}
const notesByRecord = (id: string) => z.array(z.object({ [id]: z.uuid(), notes: z.array(Note) }))
/** The caller's newest notes, grouped by record: `founderNotes` by `founderId`, and so on. */
export const MyNotes: z.ZodType<MyNotes> = z.object(
  Object.fromEntries(kinds.map(({ name }) => [`${name}Notes`, notesByRecord(`${name}Id`)])),
) as never
