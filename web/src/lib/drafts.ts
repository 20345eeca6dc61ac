import { withStorage } from './storage.ts'

/**
 * Unsent text, stored in this tab for the account that typed it, so that nothing is lost when a session ends in the
 * middle of a form.
 */
export type DraftPlace = { account: string; form: string }

/** What a draft is about. A draft that has one is offered where the person lands after sign-in. */
export type DraftSubject = {
  what: 'note' | 'change' | 'form'
  /** The name of the kind of record. */
  kind: string
  /** Absent for a record that is not added yet. */
  id?: string
  name: string
  /** The name of the record that this one was merged into. The draft is on that one now. */
  mergedInto?: string
}

/** A draft as it is stored. `at` is when it was begun. */
type Stored = { values: unknown; about?: DraftSubject | undefined; at: number }

/** A draft to offer. */
export type Draft = { form: string; values: unknown; about: DraftSubject; at: number }

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

const stored = (key: string): Stored | null => {
  try {
    return JSON.parse(kept.get(key) ?? withStorage(() => sessionStorage.getItem(key)) ?? 'null')
  } catch {
    return null
  }
}

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
  read: (place: DraftPlace): unknown => stored(keyOf(place))?.values ?? null,

  /** The drafts of an account that are about something, the one that was begun last first. */
  list: (account: string): Draft[] => {
    const start = keyOf({ account, form: '' })
    const inStorage = withStorage(() => Object.keys(sessionStorage)) ?? []
    return [...new Set([...kept.keys(), ...inStorage])]
      .filter((key) => key.startsWith(start))
      .flatMap((key) => {
        const { values, about, at = 0 } = stored(key) ?? {}
        return about ? { form: key.slice(start.length), values, about, at } : []
      })
      .sort((one, other) => other.at - one.at)
  },

  keep: (
    place: DraftPlace,
    values: object | string,
    about?: DraftSubject,
    at = stored(keyOf(place))?.at ?? Date.now(),
  ) => {
    const key = keyOf(place)
    const text = JSON.stringify({ values, about, at } satisfies Stored)
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

  /** Called when the account gets another address. This tab keeps its drafts. */
  move: (from: string, to: string) =>
    withStorage(() => {
      for (const key of Object.keys(sessionStorage).filter((key) =>
        key.startsWith(keyOf({ account: from, form: '' })),
      )) {
        sessionStorage.setItem(
          keyOf({ account: to, form: key.slice(keyOf({ account: from, form: '' }).length) }),
          sessionStorage.getItem(key) ?? '',
        )
        sessionStorage.removeItem(key)
      }
      const owner = `${random()} ${to}`
      localStorage.setItem(OWNER, owner)
      sessionStorage.setItem(OWNER, owner)
      kept.clear()
      notify()
    }),

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
