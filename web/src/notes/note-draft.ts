import { useSyncExternalStore } from 'react'
import { type DraftPlace, type DraftSubject, drafts } from '#web/lib/drafts.ts'
import { addressOf, type Noted } from './api.ts'
import { joinNotes, NO_NOTE, type TypedNote } from './typed-note.ts'

const placeOf = (account: string, noted: Noted): DraftPlace => ({ account, form: addressOf(noted) })

/** The note in the values of a draft. Earlier versions of the page kept no mentions. */
export const noteIn = (values: unknown): TypedNote => ({ ...NO_NOTE, ...(values as Partial<TypedNote> | null) })

/** A note that a link proposes. */
export type LinkedNote = { text: string; drop: () => void }

/**
 * The unsaved note on a record. The text box shows the draft itself, so closing the box loses nothing. A link may fill in an empty
 * box; the note is a draft once the person changes it.
 */
export const useNoteDraft = (
  account: string,
  noted: Noted & { record: { name: string } },
  linked: LinkedNote | undefined,
) => {
  const place = placeOf(account, noted)
  const kept = useSyncExternalStore(drafts.subscribe, () => JSON.stringify(drafts.read(place)))
  const isTyped = kept !== 'null'
  const isOfLink = isTyped ? drafts.isOfLink(place) : linked !== undefined
  const about: DraftSubject = { what: 'note', kind: noted.kind.name, id: noted.id, name: noted.record.name }
  const setNote = (note: TypedNote) => {
    if (isOfLink) linked?.drop()
    if (note.text === '') drafts.discard(place)
    else drafts.keep(place, note, { ...about, isOfLink: isOfLink || undefined })
  }
  const typed = noteIn(JSON.parse(kept))
  const proposed = linked && { text: linked.text, mentions: [] }
  return {
    note: isTyped || !proposed ? typed : proposed,
    setNote,
    isOfLink,
    /** Adds what a link proposes below what was typed before. */
    addLinked:
      isTyped && proposed
        ? () => {
            setNote(joinNotes(typed, proposed))
            linked?.drop()
          }
        : undefined,
    /** Restores a note that could not be saved, above text typed since. */
    putBack: (note: TypedNote) => setNote(joinNotes(note, noteIn(drafts.read(place)))),
  }
}
