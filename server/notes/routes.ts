import { z } from 'zod'
import { Failure } from '#contract/errors.ts'
import { MyNotes, NoteAdded, NoteDeleted, NoteInput, NotesAnswer } from '#contract/note.ts'
import { OnceHeaders } from '#contract/once.ts'
import { NotesQuery, RecordId, RecordParams } from '#contract/record.ts'
import { callerOf } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import { notFound } from '#server/errors.ts'
import { onceOf, orMadeBefore } from '#server/records/once.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import type { App, Services } from '#server/services.ts'
import { authorizeNoteDelete } from './policy.ts'
import { presentNote } from './present.ts'
import { createNote, deleteNote, getNote, listNotes, listNotesBy, type NoteRow, type Parent } from './store.ts'

const NoteParams = z.object({ id: RecordId, noteId: z.uuid({ error: 'There is no note with this id' }) })

/** What a kind of record says of itself to have notes: where they are called, their column, and how many one has. */
type Noted = {
  path: string
  column: Parent['column']
  /** The number of notes of a record; throws the 404 of one that is not there. */
  countNotes: (db: Database, id: string) => Promise<number>
}

/** The calls on the notes of one kind of record. */
export function recordNoteRoutes(app: App, { db }: Services, { path, column, countNotes }: Noted) {
  app.get(
    `${path}/:id`,
    { schema: { params: RecordParams, querystring: NotesQuery, response: { 200: NotesAnswer, '4xx': Failure } } },
    async (request, reply) => {
      const { id } = request.params
      const page = pageRequest(request.query)
      const [totalNotes, rows] = await Promise.all([countNotes(db, id), listNotes(db, { column, id }, page)])
      const shown = sendPage(request, reply, { rows, limit: page.limit, total: String(totalNotes) })
      return { notes: shown.map(presentNote), totalNotes }
    },
  )

  app.post(
    `${path}/:id`,
    {
      schema: {
        params: RecordParams,
        headers: OnceHeaders,
        body: NoteInput,
        response: { 201: NoteAdded, '4xx': Failure },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const once = onceOf(request)
      const note = await orMadeBefore(
        db,
        once,
        () => createNote(db, { column, id }, callerOf(request), request.body.content, once),
        (madeId) => getNote(db, { column, id }, madeId),
      )
      // Without its record there is no note, and the count throws the 404 that says so.
      const totalNotes = await countNotes(db, id)
      if (note === undefined) throw notFound('There is no record with this id')
      return reply.code(201).send({ note: presentNote(note), totalNotes, message: 'Note added successfully' })
    },
  )

  app.delete(
    `${path}/:id/:noteId`,
    { schema: { params: NoteParams, response: { 200: NoteDeleted, '4xx': Failure } } },
    async (request) => {
      const { id, noteId } = request.params
      const note = await getNote(db, { column, id }, noteId)
      if (note === undefined) throw notFound('There is no note with this id')
      const caller = callerOf(request)
      authorizeNoteDelete(caller, note)
      await deleteNote(db, caller, noteId)
      return { totalNotes: await countNotes(db, id), message: 'Note deleted successfully' }
    },
  )
}

/** The calls on notes of whichever record. */
export function noteRoutes(app: App, { db }: Services) {
  app.get('/notes/my-notes', { schema: { response: { 200: MyNotes, '4xx': Failure } } }, async (request) => {
    const mine = await listNotesBy(db, callerOf(request))
    return {
      founderNotes: groupNotes(mine, (note) => note.founderId).map(([founderId, notes]) => ({ founderId, notes })),
      companyNotes: groupNotes(mine, (note) => note.companyId).map(([companyId, notes]) => ({ companyId, notes })),
    }
  })
}

/** Notes by the record that a key names, in the order in which the records first come; notes without it are left out. */
function groupNotes(rows: NoteRow[], keyOf: (note: NoteRow) => string | null) {
  const groups = Map.groupBy(
    rows.filter((row) => keyOf(row) !== null),
    (row) => keyOf(row) as string,
  )
  return [...groups].map(([key, group]) => [key, group.map(presentNote)] as const)
}
