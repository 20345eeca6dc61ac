import { z } from 'zod'
import type { AuditAction } from '#contract/audit-actions.ts'
import type { KindName } from '#contract/kinds.ts'
import { NAMED_MAX } from '#contract/limits.ts'
import { MyNotes, type Note, NoteAdded, NoteDeleted, NoteInput, NotesAnswer } from '#contract/note.ts'
import { withArticle } from '#contract/plain-text.ts'
import { NotesQuery, RecordId, RecordParams } from '#contract/record.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import type { App } from '#server/http/app.ts'
import { notFound, tooManyNamed } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import { newest } from '#server/records/cursor.ts'
import type { FeatureRoutes } from '#server/records/feature.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import { getNotesCount, RECORD_REFUSALS } from '#server/records/store.ts'
import { authorize, refusal, rights } from '#server/rights.ts'
import { createNote, deleteNote, getNote, listNotes, listNotesBy, type NoteRow } from './store.ts'

const NoteParams = z.object({ id: RecordId, noteId: z.uuid({ error: 'There is no note with this id' }) })

/** The calls on the notes of one kind of record. */
function recordNoteRoutes(app: App, db: Database, kind: RecordKind) {
  const path = `/notes/${kind.name}`
  const { label } = kind
  const one = withArticle(kind.name)
  const tag = 'Notes'
  const audit = (action: AuditAction) => ({ audit: { action, kind: kind.name } })

  app.get(
    `${path}/:id`,
    head({
      ...{ operationId: `list${label}Notes`, summary: `List the notes on ${one}, newest first`, tag },
      params: RecordParams,
      query: NotesQuery,
      answers: { 200: NotesAnswer },
      refusals: RECORD_REFUSALS,
      isPaged: true,
    }),
    async (request, reply) => {
      const { id } = request.params
      const page = pageRequest(newest, request)
      const [totalNotes, rows] = await Promise.all([getNotesCount(db, kind, id), listNotes(db, { kind, id }, page)])
      const shown = sendPage(newest, request, reply, { rows, total: String(totalNotes) })
      return { notes: shown.map(presentNote), totalNotes }
    },
  )

  app.post(
    `${path}/:id`,
    head({
      ...{ operationId: `create${label}Note`, summary: `Add a note to ${one}`, tag },
      ...audit('add-note'),
      params: RecordParams,
      body: NoteInput,
      answers: { 201: NoteAdded },
      refusals: [...RECORD_REFUSALS, tooManyNamed(NAMED_MAX, 3_600)],
      isIdempotent: true,
    }),
    async (request, reply) => {
      const { id } = request.params
      const key = idempotencyKeyOf(request, callerOf(request).id)
      const note = await withIdempotency(
        db,
        key,
        () => createNote(db, { kind, id }, callerOf(request), request.body, key),
        (madeId) => getNote(db, kind, madeId),
      )
      // The record may have been deleted since. The count then throws the 404. After a merge the note is on the survivor.
      const totalNotes = await getNotesCount(db, kind, note?.recordId ?? id)
      if (note === undefined) throw notFound('There is no record with this id')
      return reply.code(201).send({ note: presentNote(note), totalNotes, message: 'Note added successfully' })
    },
  )

  app.delete(
    `${path}/:id/:noteId`,
    head({
      ...{ operationId: `delete${label}Note`, summary: `Delete a note on ${one}`, tag },
      ...audit('delete-note'),
      params: NoteParams,
      answers: { 200: NoteDeleted },
      refusals: [...RECORD_REFUSALS, notFound('There is no note with this id'), refusal(rights.deleteNotes)],
    }),
    async (request) => {
      const { id, noteId } = request.params
      const note = await getNote(db, kind, noteId)
      if (note?.recordId !== id) throw notFound('There is no note with this id')
      const caller = callerOf(request)
      authorize(caller, rights.deleteNotes, note.authorId)
      await deleteNote(db, caller, note)
      return { totalNotes: await getNotesCount(db, kind, id), message: 'Note deleted successfully' }
    },
  )
}

/** The notes on records, and the caller's own. */
export const noteRoutes: FeatureRoutes = (app, { db }, kinds) => {
  for (const kind of kinds) recordNoteRoutes(app, db, kind)

  app.get(
    '/notes/my-notes',
    head({
      ...{ operationId: 'listMyNotes', summary: "List the caller's newest notes, by record", tag: 'Notes' },
      answers: { 200: MyNotes },
    }),
    async (request) => {
      const mine = await listNotesBy(db, callerOf(request))
      return Object.fromEntries(kinds.map(({ name }) => [`${name}Notes`, notesByRecord(mine, name)])) as MyNotes
    },
  )
}

/** Groups notes of one kind by record, in the order in which the records first appear. */
function notesByRecord(rows: NoteRow[], kind: KindName) {
  const groups = Map.groupBy(
    rows.filter((row) => row.kind === kind),
    ({ recordId }) => recordId,
  )
  return [...groups].map(([id, group]) => ({ [`${kind}Id`]: id, notes: group.map(presentNote) }))
}

/** A note on the wire, field by field. */
const presentNote = (row: NoteRow): Note => ({
  id: row.id,
  content: row.content,
  author: row.author,
  authorEmail: row.authorEmail,
  createdAt: row.createdAt.toISOString(),
  ...(row.mentions && { mentions: row.mentions }),
})
