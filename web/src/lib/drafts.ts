import { withStorage } from './storage.ts'

/**
 * Unsent text, stored in this tab for the account that typed it, so that nothing is lost when a session ends in the
 * middle of a form. `account` is the owner: the account and its sign-in (`ownerOf`).
 */
export type DraftPlace = { account: string; form: string }

/** The owner of what this device keeps: the public ids of the account and of its sign-in. */
export const ownerOf = ({ account, signIn }: { account: string; signIn: string }) => `${account}:${signIn}`

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
  /** Whether a link filled in the form before the person changed it. */
  isOfLink?: true | undefined
}

/** A draft as it is stored. `at` is when it was begun. */
type Stored = { values: unknown; about?: DraftSubject | undefined; at: number }

/** A draft to offer. */
export type Draft = { form: string; values: unknown; about: DraftSubject; at: number }

/** Where unsaved text goes at a sign-out: to this device, for the next sign-in of its account, or away. */
export type TextAtSignOut = 'keep' | 'discard'

const PREFIX = 'draft:'
const keyOf = ({ account, form }: DraftPlace) => `${PREFIX}${account}:${form}`

/** In local storage: when each account signed out last, and what becomes of its text. Sleeping tabs read it later. */
const SIGN_OUTS = 'drafts-at-sign-out'

/** What a link has filled in, until the person changes it. */
const isLink = (form: string) => form.startsWith('link to ')

/** These are kept beside what a person has typed. */
const isTypedForm = (form: string) => !isLink(form) && !/^(key of|edits) /.test(form)

/** A copy as JSON. When storage is full or blocked, drafts still last as long as the page. */
const kept = new Map<string, string>()
const listeners = new Set<() => void>()

const notify = () => {
  for (const listener of listeners) listener()
}

const parse = (text: string | null | undefined): Stored | null => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

const textAt = (key: string) => kept.get(key) ?? withStorage(() => sessionStorage.getItem(key))
const stored = (key: string) => parse(textAt(key))

const keysHere = () => [...new Set([...kept.keys(), ...(withStorage(() => Object.keys(sessionStorage)) ?? [])])]
const keysOf = (account: string) => keysHere().filter((key) => key.startsWith(keyOf({ account, form: '' })))

const store = (key: string, text: string) => {
  kept.set(key, text)
  withStorage(() => sessionStorage.setItem(key, text))
}

const remove = (key: string) => {
  kept.delete(key)
  withStorage(() => sessionStorage.removeItem(key))
}

/** The form of a draft of this account, whatever its sign-in. */
const formIn = (key: string, account: string) => {
  const [, form] = key.slice(keyOf({ account, form: '' }).length).split(/:(.*)/s)
  return form ?? ''
}

/** Deletes or keeps what is in this tab from before the last sign-out of each account. */
const followSignOuts = () => {
  const signOuts = withStorage(() => JSON.parse(localStorage.getItem(SIGN_OUTS) ?? '{}')) ?? {}
  for (const [account, { at, text }] of Object.entries<{ at: number; text: TextAtSignOut }>(signOuts))
    for (const key of keysOf(account)) {
      if ((stored(key)?.at ?? 0) > at) continue
      // Under a name of its own, because another tab may keep the same form.
      const keptAs = keyOf({ account: ownerOf({ account, signIn: random() }), form: formIn(key, account) })
      if (text === 'keep' && !isLink(formIn(key, account)))
        withStorage(() => localStorage.setItem(keptAs, textAt(key) ?? ''))
      remove(key)
    }
  notify()
}

const isTyped = (values: unknown) =>
  typeof values === 'object' && values !== null ? Object.values(values).some(Boolean) : Boolean(values)

export const drafts = {
  read: (place: DraftPlace): unknown => stored(keyOf(place))?.values ?? null,

  /** Whether a link filled in the form before the person changed it. */
  isOfLink: (place: DraftPlace): boolean => stored(keyOf(place))?.about?.isOfLink === true,

  /** The drafts of an owner that are about something, the one that was begun last first. */
  list: (account: string): Draft[] =>
    keysOf(account)
      .flatMap((key) => {
        const { values, about, at = 0 } = stored(key) ?? {}
        return about ? { form: key.slice(keyOf({ account, form: '' }).length), values, about, at } : []
      })
      .sort((one, other) => other.at - one.at),

  keep: (
    place: DraftPlace,
    values: object | string,
    about?: DraftSubject,
    at = stored(keyOf(place))?.at ?? Date.now(),
  ) => {
    store(keyOf(place), JSON.stringify({ values, about, at } satisfies Stored))
    notify()
  },

  discard: (place: DraftPlace) => {
    remove(keyOf(place))
    notify()
  },

  /**
   * Called when this account is signed in. Offers it what its earlier sign-ins have left in this tab and on this device,
   * and what an earlier version of the page has stored under its address. Leaves what belongs to others.
   */
  claim: (session: { account: string; signIn: string; user: { email: string } }) => {
    const take = (key: string, text: string | null | undefined, form: string) => {
      const own = keyOf({ account: ownerOf(session), form })
      if (own === key || !text || textAt(own)) return false
      store(own, text)
      return true
    }
    const { account, user } = session
    for (const key of keysOf(account)) if (take(key, textAt(key), formIn(key, account))) remove(key)
    const byAddress = keyOf({ account: user.email, form: '' })
    for (const key of keysOf(user.email)) if (take(key, textAt(key), key.slice(byAddress.length))) remove(key)
    withStorage(() => {
      for (const key of Object.keys(localStorage).filter((key) => key.startsWith(keyOf({ account, form: '' }))))
        if (take(key, localStorage.getItem(key), formIn(key, account))) localStorage.removeItem(key)
    })
    notify()
  },

  /** Whether this tab has text of this account that was not saved. */
  hasTyped: (account: string) =>
    keysOf(account).some((key) => isTypedForm(formIn(key, account)) && isTyped(stored(key)?.values)),

  /** Called when a person goes on in this tab without what another account has typed here. */
  discardHere: (account: string) => {
    for (const key of keysOf(account)) remove(key)
    notify()
  },

  /** Called at sign-out, for every tab. */
  signOut: (account: string, text: TextAtSignOut) => {
    withStorage(() => {
      const before = JSON.parse(localStorage.getItem(SIGN_OUTS) ?? '{}')
      localStorage.setItem(SIGN_OUTS, JSON.stringify({ ...before, [account]: { at: Date.now(), text } }))
      if (text === 'keep') return
      for (const key of Object.keys(localStorage))
        if (key.startsWith(keyOf({ account, form: '' }))) localStorage.removeItem(key)
    })
    followSignOuts()
    if (text === 'discard') drafts.discardHere(account)
  },

  /** Follows the sign-outs of other tabs. */
  followOtherTabs: () => {
    followSignOuts()
    window.addEventListener('storage', followSignOuts)
    // A page in the browser's back-forward cache gets no storage events.
    window.addEventListener('pageshow', followSignOuts)
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
