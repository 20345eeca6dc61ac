import { useSyncExternalStore } from 'react'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'
import { addressOf, NOTES, type Noted } from './api.ts'

/** An unsaved note, with the name of its record, and when it was written. */
type NoteDraft = { text: string; name: string; at: number }

const placeOf = (account: string, noted: Noted): DraftPlace => ({ account, form: addressOf(noted) })

const draftAt = (place: DraftPlace): NoteDraft | undefined => {
  const draft = drafts.read(place) as Partial<NoteDraft> | null
  const { text, name = '', at = 0 } = draft ?? {}
  return typeof text === 'string' ? { text, name: String(name), at: Number(at) } : undefined
}

const read = (place: DraftPlace) => draftAt(place)?.text ?? ''

/** An unsaved note as a line names it: its record, by the name of its kind and its id. */
export type UnsentNote = { kind: string; id: string; name: string; at: number }

/** The unsaved notes of an account in this tab, newest first. */
export const listUnsentNotes = (account: string): UnsentNote[] =>
  drafts
    .formsOf(account, NOTES)
    .flatMap((form) => {
      const [, kind, id] = /^\/notes\/(\w+)\/([\w-]+)$/.exec(form) ?? []
      const draft = draftAt({ account, form })
      return kind && id && draft ? { kind, id, name: draft.name, at: draft.at } : []
    })
    .sort((one, other) => other.at - one.at)

export const discardNote = (account: string, { kind, id }: Pick<UnsentNote, 'kind' | 'id'>) =>
  drafts.discard({ account, form: `${NOTES}${kind}/${id}` })

/** The unsaved note on a record. The text box shows the draft itself, so closing the box loses nothing. */
export const useNoteDraft = (account: string, noted: Noted & { record: { name: string } }) => {
  const place = placeOf(account, noted)
  const text = useSyncExternalStore(drafts.subscribe, () => read(place))
  const setText = (typed: string) => {
    if (typed === '') drafts.discard(place)
    else drafts.keep(place, { text: typed, name: noted.record.name, at: Date.now() } satisfies NoteDraft)
  }
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
