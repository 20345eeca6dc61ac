import { useSyncExternalStore } from 'react'
import { type DraftSubject, drafts } from '#web/lib/drafts.ts'
import { useOwner } from './use-current-user.ts'

/** What is typed in a form or a field. */
export type TypedDraft<Values> = {
  values: Values
  /** Whether it differs from what the form starts with. */
  isTyped: boolean
  /** Sets the values, or changes the latest ones. */
  change: (next: Values | ((values: Values) => Values)) => void
  discard: () => void
}

/**
 * The values of a form or a field, kept with the drafts of the signed-in account: Escape, a reload and the end of the
 * session lose nothing. `form` names it. With `about` it is also offered on other screens.
 */
export function useDraft<Values extends object | string>(
  form: string,
  start: Values,
  about?: DraftSubject,
): TypedDraft<Values> {
  const place = { account: useOwner(), form }
  const read = () => JSON.stringify(drafts.read(place))
  const text = useSyncExternalStore(drafts.subscribe, read, read)
  const kept = JSON.parse(text) as Values | null
  return {
    values: kept ?? start,
    isTyped: kept !== null,
    change: (next) => {
      const values = typeof next === 'function' ? next((drafts.read(place) as Values | null) ?? start) : next
      if (JSON.stringify(values) === JSON.stringify(start)) drafts.discard(place)
      else drafts.keep(place, values, about)
    },
    discard: () => drafts.discard(place),
  }
}
