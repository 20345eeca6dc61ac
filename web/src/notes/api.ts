import {
  type InfiniteData,
  infiniteQueryOptions,
  mutationOptions,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import { NOTES_PREVIEWED } from '#contract/limits.ts'
import type { Note, NoteAdded, NoteDeleted, NoteInput, NotesAnswer } from '#contract/note.ts'
import { ApiError, del, getLinked, post } from '#web/lib/http.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { changeInLists } from '#web/records/cache/list-cache.ts'
import { grouped } from '#web/ui/shown-count.ts'
import type { TypedNote } from './typed-note.ts'

// All calls about the notes of a record of any kind.

const NOTES_A_PAGE = 50

/** The record of notes. */
export type Noted = { kind: Kind; id: string }

type NotesPage = NotesAnswer & { next: string | null; isGone: boolean }

/** The path of the calls about the notes of one record; its draft has the same name. */
export const addressOf = ({ kind, id }: Noted) => `/notes/${kind.name}/${id}`

/** The key of one record's notes. Ids are unique over all kinds. */
export const notesKey = (id: string): QueryKey => ['notes', id]

export const addKey = ({ id }: Noted) => [...notesKey(id), 'add']
export const deleteKey = ({ id }: Noted) => [...notesKey(id), 'delete']

/** Newest first, a page at a time. A deleted record is a result here, not a failure. */
export const noteList = (noted: Noted) =>
  infiniteQueryOptions({
    queryKey: notesKey(noted.id),
    queryFn: ({ pageParam, signal }) => getNotes(pageParam, signal),
    initialPageParam: `${addressOf(noted)}?limit=${NOTES_A_PAGE}`,
    getNextPageParam: (page: NotesPage) => page.next,
    meta: { failure: 'Failed to load notes', withScreen: true },
  })

const getNotes = async (path: string, signal: AbortSignal): Promise<NotesPage> => {
  try {
    const { answer, next } = await getLinked<NotesAnswer>(path, { signal })
    return { ...answer, next, isGone: false }
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404)
      return { notes: [], totalNotes: 0, next: null, isGone: true }
    throw failure
  }
}

/** A note as it was typed, which a failure gives back to its box, and as it is sent. */
export type NewNote = { typed: TypedNote; input: NoteInput }

/** A failed note that the same account sends again unchanged is stored once. */
export const addNote = (noted: Noted, account: string) => {
  const placeOf = ({ input: { content, mentions } }: NewNote) => ({
    account,
    form: [addressOf(noted), content, ...(mentions ? [JSON.stringify(mentions)] : [])].join(' '),
  })
  return mutationOptions({
    mutationKey: addKey(noted),
    // One after the other, so that the server stores them in the order they were written.
    scope: { id: `add ${addressOf(noted)}` },
    mutationFn: (note: NewNote) =>
      post<NoteAdded>(addressOf(noted), note.input, { key: idempotencyKeys.of(placeOf(note)) }),
    onSuccess: ({ note: added, totalNotes }, note, _result, { client }) => {
      idempotencyKeys.delete(placeOf(note))
      settle(client, noted, { totalNotes, removed: added.id, added })
    },
    meta: { failure: 'Failed to add note' },
  })
}

export const deleteNote = (noted: Noted) =>
  mutationOptions({
    mutationKey: deleteKey(noted),
    mutationFn: (noteId: string) => del<NoteDeleted>(`${addressOf(noted)}/${noteId}`),
    onSuccess: ({ totalNotes }, noteId, _result, { client }) => settle(client, noted, { totalNotes, removed: noteId }),
    meta: { failure: 'Failed to delete note' },
  })

type Outcome = { totalNotes: number; removed: string; added?: Note }

/** Updates the list of notes and the cards with the outcome, then refetches in case more has changed. */
const settle = (client: QueryClient, noted: Noted, { totalNotes, removed, added }: Outcome) => {
  const key = notesKey(noted.id)
  const list = client.setQueryData<InfiniteData<NotesPage>>(key, (list) => {
    const pages = list?.pages.map((page, index) => {
      const others = page.notes.filter(({ id }) => id !== removed)
      return { ...page, totalNotes, notes: added && index === 0 ? [added, ...others] : others }
    })
    return list && pages && { ...list, pages }
  })
  const notesPreview = list?.pages.flatMap((page) => page.notes).slice(0, NOTES_PREVIEWED)
  if (notesPreview) changeInLists(client, noted.kind, noted.id, { notesCount: totalNotes, notesPreview })
  void client.invalidateQueries({ queryKey: key })
}

/** `1 note`, `2,400 notes`. */
export const countNotes = (count: number) => `${grouped(count)} ${count === 1 ? 'note' : 'notes'}`
