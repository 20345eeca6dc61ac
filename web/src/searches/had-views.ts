import type { Kind } from '#contract/kinds.ts'
import { settings } from '#web/lib/settings.ts'
import { withStorage } from '#web/lib/storage.ts'

const keyOf = ({ path }: Kind) => `views:${settings.account}:${path}`

/** Whether this account had views of a kind when they were last read here. Their place is kept before they come, so nothing moves. */
export const hadViews = {
  get: (kind: Kind): boolean => withStorage(() => localStorage.getItem(keyOf(kind))) === 'yes',
  set: (kind: Kind, has: boolean): void => {
    withStorage(() => (has ? localStorage.setItem(keyOf(kind), 'yes') : localStorage.removeItem(keyOf(kind))))
  },
}
