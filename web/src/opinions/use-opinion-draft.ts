import { useSyncExternalStore } from 'react'
import { type DraftPlace, type DraftSubject, drafts } from '#web/lib/drafts.ts'
import type { Judged } from './api.ts'

export type NamedJudged = Judged & { name: string }

/** What is typed of an opinion. The rating is 0 before it is chosen. */
export type OpinionDraft = { rating: number; comment: string }

/** Text, so that equal drafts are one value. */
const read = (place: DraftPlace): string => JSON.stringify(drafts.read(place) ?? null)

/** The opinion that is being typed; null while no form is open. It survives leaving the page. */
export function useOpinionDraft(account: string, { kind, id, name }: NamedJudged) {
  const place: DraftPlace = { account, form: `opinion ${id}` }
  const about: DraftSubject = { what: 'change', kind: kind.name, id, name }
  const text = useSyncExternalStore(drafts.subscribe, () => read(place))
  return {
    draft: JSON.parse(text) as OpinionDraft | null,
    change: (draft: OpinionDraft) => drafts.keep(place, draft, about),
    discard: () => drafts.discard(place),
  }
}
