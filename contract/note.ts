import { z } from 'zod'
import { type KindName, kinds } from './kinds.ts'
import { NOTE_MAX } from './limits.ts'
import { requiredText } from './text.ts'

const NOTE_TOO_LONG = `Note must be less than ${NOTE_MAX} characters`

export const NoteInput = z.object({
  content: requiredText('Note', NOTE_MAX, { tooLong: NOTE_TOO_LONG }),
})
export type NoteInput = z.infer<typeof NoteInput>

export const Note = z.object({
  id: z.uuid(),
  content: z.string(),
  author: z.string(),
  authorEmail: z.string(),
  createdAt: z.iso.datetime(),
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
