import type { ReactNode } from 'react'

/** The parts of a card that the list around it fills. */
export type CardSlots = {
  buttons: ReactNode
  notes: ReactNode
  badges?: ReactNode
  actions?: ReactNode
  /** `notes` is a form with the rating in it, so the rating and the buttons go. */
  isForm?: boolean
}
