import { useInfiniteQuery, useMutation, useMutationState } from '@tanstack/react-query'
import type { User } from '#contract/auth.ts'
import type { Note } from '#contract/note.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { addKey, addNote, deleteKey, deleteNote, type NewNote, type Noted, noteList } from './api.ts'
import { type LinkedNote, useNoteDraft } from './note-draft.ts'
import { inputOf, NO_NOTE, type TypedNote } from './typed-note.ts'

/** A note in the list. One that is being saved cannot be deleted yet. */
export type ListedNote = Note & { isSaving: boolean }

/** The notes of a record with pending changes: includes notes being added, excludes notes being deleted. */
export const useNotes = (noted: Noted & { record: { name: string } }, author: User, linked?: LinkedNote) => {
  const list = useInfiniteQuery(noteList(noted))
  const owner = useOwner()
  const draft = useNoteDraft(owner, noted, linked)

  const adding = useMutationState({
    filters: { mutationKey: addKey(noted), status: 'pending' },
    select: ({ state, mutationId }) => toBe({ mutationId, note: state.variables as NewNote, ...state }, author),
  })
  const deleting = useMutationState({
    filters: { mutationKey: deleteKey(noted), status: 'pending' },
    select: ({ state }) => state.variables,
  })

  const adds = addNote(noted, owner)
  const add = useMutation({
    ...adds,
    onSuccess: (...answer) => {
      toasts.success(answer[0].message)
      return adds.onSuccess?.(...answer)
    },
    onError: (_failure, { typed }) => draft.putBack(typed),
  })
  const deletes = deleteNote(noted)
  const remove = useMutation({
    ...deletes,
    onSuccess: (...answer) => {
      toasts.success(answer[0].message)
      return deletes.onSuccess?.(...answer)
    },
  })

  const pages = list.data?.pages
  const saved = pages?.flatMap((page) => page.notes).filter(({ id }) => !deleting.includes(id))
  const [first] = pages ?? []
  return {
    list,
    draft,
    notes: saved && [...adding.reverse(), ...saved.map((note) => ({ ...note, isSaving: false }))],
    total: first && first.totalNotes + adding.length - deleting.length,
    isGone: first?.isGone ?? false,
    add: (typed: TypedNote) => {
      draft.setNote(NO_NOTE)
      add.mutate({ typed, input: inputOf(typed) })
    },
    remove: remove.mutate,
  }
}

const toBe = (written: { mutationId: number; note: NewNote; submittedAt: number }, author: User): ListedNote => ({
  id: `adding ${written.mutationId}`,
  content: written.note.input.content,
  mentions: mentionsOf(written.note),
  author: author.name || author.email,
  authorEmail: author.email,
  createdAt: new Date(written.submittedAt).toISOString(),
  isSaving: true,
})

const mentionsOf = ({ typed, input: { mentions = [] } }: NewNote) =>
  mentions.map((mention, index) => ({ ...mention, name: nameIn(typed, index) }))

const nameIn = ({ text, mentions }: TypedNote, index: number) => {
  const { at = 0, length = 0 } = mentions[index] ?? {}
  return text.slice(at + 1, at + length)
}
