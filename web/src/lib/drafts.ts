import { withStorage } from './storage.ts'

/**
 * What was typed and not yet sent, kept in this tab for the account that typed it: a session that ends in the middle of
 * a form loses nothing that was typed.
 */
export type DraftPlace = { account: string; form: string }

const PREFIX = 'draft:'
const keyOf = ({ account, form }: DraftPlace) => `${PREFIX}${account}:${form}`

/**
 * Whose drafts the tabs of this browser keep: `<random> <account>` in local storage, which all of them share, and in session
 * storage the one that this tab's drafts are of. A sign-out takes it away and another account's sign-in replaces it, so that
 * tabs that were asleep meanwhile, or are restored later, drop theirs too. A session that merely ends leaves it.
 */
const OWNER = 'drafts-of'

/** As JSON, beside what is stored: where storage is full or forbidden, drafts still last as long as the page. */
const kept = new Map<string, string>()
const listeners = new Set<() => void>()

const tell = () => {
  for (const listener of listeners) listener()
}

const stored = (key: string) => kept.get(key) ?? withStorage(() => sessionStorage.getItem(key)) ?? null

const dropOwn = () => {
  kept.clear()
  withStorage(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  })
  tell()
}

/** Drops this tab's drafts when the tabs' drafts are not of the same owner any more. */
const followOwner = () =>
  withStorage(() => {
    const owner = localStorage.getItem(OWNER) ?? ''
    if ((sessionStorage.getItem(OWNER) ?? '') === owner) return
    dropOwn()
    sessionStorage.setItem(OWNER, owner)
  })

export const drafts = {
  read: (place: DraftPlace): unknown => {
    try {
      return JSON.parse(stored(keyOf(place)) ?? 'null')
    } catch {
      return null
    }
  },

  keep: (place: DraftPlace, values: object | string) => {
    const key = keyOf(place)
    const text = JSON.stringify(values)
    kept.set(key, text)
    // Where it cannot be stored, the page still holds the text.
    withStorage(() => sessionStorage.setItem(key, text))
    tell()
  },

  drop: (place: DraftPlace) => {
    kept.delete(keyOf(place))
    withStorage(() => sessionStorage.removeItem(keyOf(place)))
    tell()
  },

  /** This account is signed in: drafts of any other are dropped, in every tab. */
  claim: (account: string) => {
    withStorage(() => {
      const owner = localStorage.getItem(OWNER)
      if (owner?.slice(owner.indexOf(' ') + 1) !== account) localStorage.setItem(OWNER, `${random()} ${account}`)
    })
    followOwner()
  },

  /** On signing out by choice: the next person at this browser finds nothing, in any tab. */
  dropAll: () => {
    withStorage(() => localStorage.removeItem(OWNER))
    dropOwn()
    followOwner()
  },

  /** Has this tab drop its drafts as soon as another one signs out, or signs in to another account. */
  followOtherTabs: () => {
    followOwner()
    window.addEventListener('storage', followOwner)
    // A page that the browser had set aside is told of nothing meanwhile.
    window.addEventListener('pageshow', followOwner)
  },

  /** Calls `listener` whenever a draft may have changed, until the function that it returns is called. */
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

const random = () => crypto.getRandomValues(new Uint32Array(2)).join('.')
