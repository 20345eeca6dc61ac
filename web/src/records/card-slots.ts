import type { ReactNode, Ref } from 'react'

/** The parts of a card that its list provides. */
export type CardSlots = {
  buttons: ReactNode
  notes: ReactNode
  badges?: ReactNode
  actions?: ReactNode
  /** Set on the card of a record that was just added, which takes the focus. */
  ref?: Ref<HTMLElement> | undefined
  /** `notes` is a form that includes the rating, so the card shows neither rating nor buttons. */
  isForm?: boolean
}
