import { useSyncExternalStore } from 'react'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'
import { addressOf, type Noted } from './api.ts'

const placeOf = (account: string, noted: Noted): DraftPlace => ({ account, form: addressOf(noted) })

const read = (place: DraftPlace) => {
  const draft = drafts.read(place)
  return typeof draft === 'string' ? draft : ''
}

/** The unsaved note on a record. The text box shows the draft itself, so closing the box loses nothing. */
export const useNoteDraft = (account: string, noted: Noted) => {
  const place = placeOf(account, noted)
  const text = useSyncExternalStore(drafts.subscribe, () => read(place))
  const setText = (typed: string) => (typed === '' ? drafts.discard(place) : drafts.keep(place, typed))
  return {
    text,
    setText,
    /** Restores a note that could not be saved, above text typed since. */
    putBack: (note: string) => {
      const typed = read(place)
      setText(typed === '' ? note : `${note}\n\n${typed}`)
    },
  }
}
