import { withStorage } from '#web/lib/storage.ts'

// The address that was last asked to be proven in this browser: the link of a mail opens in a tab of its own, and names
// no account.

const KEY = 'awaited-address'

export const awaitedAddress = {
  get: () => withStorage(() => localStorage.getItem(KEY)) ?? '',
  keep: (email: string) => withStorage(() => localStorage.setItem(KEY, email)),
  drop: () => withStorage(() => localStorage.removeItem(KEY)),
}
