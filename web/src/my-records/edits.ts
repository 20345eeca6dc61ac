import { drafts } from '#web/lib/drafts.ts'

/** What is typed into a card: also the version of the record that it was typed upon. */
export type Edit = { notes: string; rating: number; version: number }

const placeOf = (account: string, id: string) => ({ account, form: `edit ${id}` })

export const readEdit = (account: string, id: string): Edit | undefined => {
  const { notes, rating, version } = (drafts.read(placeOf(account, id)) ?? {}) as Record<string, unknown>
  const isWhole = typeof notes === 'string' && typeof rating === 'number' && typeof version === 'number'
  return isWhole ? { notes, rating, version } : undefined
}
export const keepEdit = (account: string, id: string, edit: Edit) => drafts.keep(placeOf(account, id), edit)
export const dropEdit = (account: string, id: string) => drafts.drop(placeOf(account, id))
