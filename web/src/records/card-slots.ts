import type { ReactNode } from 'react'

/** What a card has besides or instead of its usual parts where its record is one's own. */
export type CardSlots = {
  badges: ReactNode
  notes: ReactNode
  actions: ReactNode
  /** `notes` is a form just now, with the rating in it. */
  isForm: boolean
}
