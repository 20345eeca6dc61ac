// The address that was last asked to be proven in this browser: the link of a mail opens in a tab of its own, and names
// nobody.

const KEY = 'awaited-address'

export const awaitedAddress = {
  get: () => {
    try {
      return localStorage.getItem(KEY) ?? ''
    } catch {
      return ''
    }
  },

  keep: (email: string) => {
    try {
      localStorage.setItem(KEY, email)
    } catch {
      // Then it is typed once more.
    }
  },

  drop: () => {
    try {
      localStorage.removeItem(KEY)
    } catch {
      // There is none, then.
    }
  },
}
