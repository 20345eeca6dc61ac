import type { ReactNode, Ref } from 'react'
import type { RecordQuery } from '#web/records/cache/record-query.ts'

/** The parts of a card that its list provides. */
export type CardSlots = {
  /** The list that shows the card, for the next and the previous record on the page of this one. */
  query?: RecordQuery | undefined
  buttons: ReactNode
  /** Not on the cards of narrow lists, because the record page has it too. */
  history?: ReactNode
  notes: ReactNode
  /** Below the notes. Absent without notes by fellows. */
  fellowNotes?: ReactNode
  badges?: ReactNode
  finders?: ReactNode
  /** In the row of links: *I met them too*. */
  metToo?: ReactNode
  pipeline?: ReactNode
  actions?: ReactNode
  /** Set on the card of a record that was just added, which takes the focus. */
  ref?: Ref<HTMLElement> | undefined
  /** `notes` is a form that includes the rating. It takes the place of all below the name. */
  isForm?: boolean
}
