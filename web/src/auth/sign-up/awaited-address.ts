import { withStorage } from '#web/lib/storage.ts'

// The address that this browser last asked to confirm. The link in a mail opens in a new tab and names no account.

const KEY = 'awaited-address'

export const awaitedAddress = {
  get: () => withStorage(() => localStorage.getItem(KEY)) ?? '',
  keep: (email: string) => withStorage(() => localStorage.setItem(KEY, email)),
  delete: () => withStorage(() => localStorage.removeItem(KEY)),
}
