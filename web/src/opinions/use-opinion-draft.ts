import { useSyncExternalStore } from 'react'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'

/** What is typed of an opinion. The rating is 0 before it is chosen. */
export type OpinionDraft = { rating: number; comment: string }

/** Text, so that equal drafts are one value. */
const read = (place: DraftPlace): string => JSON.stringify(drafts.read(place) ?? null)

const placeOf = (account: string, id: string): DraftPlace => ({ account, form: `/records/${id}/opinion` })

/** The opinion that is being typed; null while no form is open. It survives leaving the page. */
export function useOpinionDraft(account: string, id: string) {
  const place = placeOf(account, id)
  const text = useSyncExternalStore(drafts.subscribe, () => read(place))
  return {
    draft: JSON.parse(text) as OpinionDraft | null,
    change: (draft: OpinionDraft) => drafts.keep(place, draft),
    discard: () => drafts.discard(place),
  }
}

/** Takes what was typed about a merged record to its survivor, unless an opinion is being typed there. */
export function moveOpinionDraft(account: string, id: string, survivorId: string): void {
  const [from, to] = [placeOf(account, id), placeOf(account, survivorId)]
  const draft = drafts.read(from) as OpinionDraft | null
  if (draft === null || drafts.read(to) !== null) return
  drafts.keep(to, draft)
  drafts.discard(from)
}
