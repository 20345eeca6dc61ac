import { useSyncExternalStore } from 'react'
import { type DraftPlace, type DraftSubject, drafts } from '#web/lib/drafts.ts'
import { addressOf, type Noted } from './api.ts'

const placeOf = (account: string, noted: Noted): DraftPlace => ({ account, form: addressOf(noted) })

const read = (place: DraftPlace): string => {
  const { text } = (drafts.read(place) ?? {}) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}

/** Two texts for one box, the older one above. */
export const joinTexts = (...texts: string[]) => texts.filter((text) => text !== '').join('\n\n')

/** The unsaved note on a record. The text box shows the draft itself, so closing the box loses nothing. */
export const useNoteDraft = (account: string, noted: Noted & { record: { name: string } }) => {
  const place = placeOf(account, noted)
  const text = useSyncExternalStore(drafts.subscribe, () => read(place))
  const about: DraftSubject = { what: 'note', kind: noted.kind.name, id: noted.id, name: noted.record.name }
  const setText = (typed: string) => {
    if (typed === '') drafts.discard(place)
    else drafts.keep(place, { text: typed }, about)
  }
  return {
    text,
    setText,
    /** Restores a note that could not be saved, above text typed since. */
    putBack: (note: string) => setText(joinTexts(note, read(place))),
  }
}
