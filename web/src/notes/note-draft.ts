import { useSyncExternalStore } from 'react'
import { type DraftPlace, type DraftSubject, drafts } from '#web/lib/drafts.ts'
import { addressOf, type Noted } from './api.ts'
import { joinNotes, NO_NOTE, type TypedNote } from './typed-note.ts'

const placeOf = (account: string, noted: Noted): DraftPlace => ({ account, form: addressOf(noted) })

/** The note in the values of a draft. Earlier versions of the page kept no mentions. */
export const noteIn = (values: unknown): TypedNote => ({ ...NO_NOTE, ...(values as Partial<TypedNote> | null) })

/** The unsaved note on a record. The text box shows the draft itself, so closing the box loses nothing. */
export const useNoteDraft = (account: string, noted: Noted & { record: { name: string } }) => {
  const place = placeOf(account, noted)
  const kept = useSyncExternalStore(drafts.subscribe, () => JSON.stringify(drafts.read(place)))
  const about: DraftSubject = { what: 'note', kind: noted.kind.name, id: noted.id, name: noted.record.name }
  const setNote = (note: TypedNote) => {
    if (note.text === '') drafts.discard(place)
    else drafts.keep(place, note, about)
  }
  return {
    note: noteIn(JSON.parse(kept)),
    setNote,
    /** Restores a note that could not be saved, above text typed since. */
    putBack: (note: TypedNote) => setNote(joinNotes(note, noteIn(drafts.read(place)))),
  }
}
