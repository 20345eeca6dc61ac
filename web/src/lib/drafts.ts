import { withStorage } from './storage.ts'

/**
 * Unsent text, stored in this tab for the account that typed it, so that nothing is lost when a session ends in the
 * middle of a form.
 */
export type DraftPlace = { account: string; form: string }

const PREFIX = 'draft:'
const keyOf = ({ account, form }: DraftPlace) => `${PREFIX}${account}:${form}`

/**
 * The owner of the drafts, as `<random> <account>`: in local storage for all tabs of the browser, in session storage
 * for the drafts of this tab. A sign-out deletes it and another account's sign-in replaces it, so that tabs that were
 * asleep or are restored later delete their drafts too. A session that only expires leaves it.
 */
const OWNER = 'drafts-of'

/** A copy as JSON. When storage is full or blocked, drafts still last as long as the page. */
const kept = new Map<string, string>()
const listeners = new Set<() => void>()

const notify = () => {
  for (const listener of listeners) listener()
}

const stored = (key: string) => kept.get(key) ?? withStorage(() => sessionStorage.getItem(key)) ?? null

const discardOwn = () => {
  kept.clear()
  withStorage(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  })
  notify()
}

/** Deletes this tab's drafts when they belong to another owner than the browser's. */
const followOwner = () =>
  withStorage(() => {
    const owner = localStorage.getItem(OWNER) ?? ''
    if ((sessionStorage.getItem(OWNER) ?? '') === owner) return
    discardOwn()
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

  /** The forms of this account that have a draft and whose name begins like this. */
  formsOf: (account: string, beginning: string): string[] => {
    const start = keyOf({ account, form: beginning })
    const inStorage = withStorage(() => Object.keys(sessionStorage)) ?? []
    const keys = [...new Set([...kept.keys(), ...inStorage])].filter((key) => key.startsWith(start))
    return keys.map((key) => key.slice(keyOf({ account, form: '' }).length))
  },

  keep: (place: DraftPlace, values: object | string) => {
    const key = keyOf(place)
    const text = JSON.stringify(values)
    kept.set(key, text)
    withStorage(() => sessionStorage.setItem(key, text))
    notify()
  },

  discard: (place: DraftPlace) => {
    kept.delete(keyOf(place))
    withStorage(() => sessionStorage.removeItem(keyOf(place)))
    notify()
  },

  /** Called when this account is signed in: deletes the drafts of any other, in every tab. */
  claim: (account: string) => {
    withStorage(() => {
      const owner = localStorage.getItem(OWNER)
      if (owner?.slice(owner.indexOf(' ') + 1) !== account) localStorage.setItem(OWNER, `${random()} ${account}`)
    })
    followOwner()
  },

  /** Called at sign-out. Deletes all drafts in every tab, so that the next person at this browser sees none. */
  discardAll: () => {
    withStorage(() => localStorage.removeItem(OWNER))
    discardOwn()
    followOwner()
  },

  /** Deletes this tab's drafts as soon as another tab signs out or signs in to another account. */
  followOtherTabs: () => {
    followOwner()
    window.addEventListener('storage', followOwner)
    // A page in the browser's back-forward cache gets no storage events.
    window.addEventListener('pageshow', followOwner)
  },

  /** Calls `listener` whenever a draft may have changed. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

const random = () => crypto.getRandomValues(new Uint32Array(2)).join('.')
