import { withStorage } from '#web/lib/storage.ts'

/** The public ids of the account and its sign-in. */
type SignIn = { account: string; signIn: string }

const KEY = 'signed-in'

const parse = (text: string | null | undefined): SignIn | undefined => {
  try {
    const { account, signIn } = JSON.parse(text ?? '')
    return typeof account === 'string' && typeof signIn === 'string' ? { account, signIn } : undefined
  } catch {
    return undefined
  }
}

/** Who has signed in last on this device, without a name or an address, until the sign-out or a 401. */
export const lastSignIn = {
  get: () => parse(withStorage(() => localStorage.getItem(KEY))),
  keep: ({ account, signIn }: SignIn) =>
    void withStorage(() => localStorage.setItem(KEY, JSON.stringify({ account, signIn }))),
  forget: () => void withStorage(() => localStorage.removeItem(KEY)),
}
