import { useSyncExternalStore } from 'react'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'

/** What is typed of an opinion. The rating is 0 before it is chosen. */
export type OpinionDraft = { rating: number; comment: string }

/** Text, so that equal drafts are one value. */
const read = (place: DraftPlace): string => JSON.stringify(drafts.read(place) ?? null)

/** The opinion that is being typed; null while no form is open. It survives leaving the page. */
export function useOpinionDraft(account: string, id: string) {
  const place = { account, form: `/records/${id}/opinion` }
  const text = useSyncExternalStore(drafts.subscribe, () => read(place))
  return {
    draft: JSON.parse(text) as OpinionDraft | null,
    change: (draft: OpinionDraft) => drafts.keep(place, draft),
    discard: () => drafts.discard(place),
  }
}
