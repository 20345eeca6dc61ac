import type { ReactNode } from 'react'

/** The parts of a card that its list provides. */
export type CardSlots = {
  buttons: ReactNode
  notes: ReactNode
  badges?: ReactNode
  actions?: ReactNode
  /** `notes` is a form that includes the rating, so the card shows neither rating nor buttons. */
  isForm?: boolean
}
