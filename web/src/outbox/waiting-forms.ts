import { useSyncExternalStore } from 'react'
import { ownerOf } from '#web/lib/drafts.ts'
import { withStorage } from '#web/lib/storage.ts'
import type { AfterAdding } from '#web/records/form/link-values.ts'
import type { FormValues } from '#web/records/form/record-form.ts'

/** A filled-in add form that waits on this device until it can be sent. */
export type WaitingForm = {
  id: string
  /** The name of the kind of record. */
  kind: string
  values: FormValues
  /** What the record gets once it is added. */
  after?: AfterAdding | undefined
  /** The idempotency key, the same in every attempt. */
  key: string
  /** When an attempt may have reached the server, whose response was lost; absent if none may have. */
  triedAt?: number | undefined
  /** Why it is not sent again without the person. */
  refusal?: string | undefined
}

/**
 * One entry of local storage for each form, so that two tabs never overwrite each other's forms. `account` is the owner:
 * the account and its sign-in (`ownerOf`).
 */
const prefixOf = (account: string) => `waiting:${account}:`

/** A form of another sign-in than the present one, and the owner it is stored for. */
export type EarlierForm = WaitingForm & { owner: string }

export type SignIn = { account: string; signIn: string; email: string }

const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

/** Storage that is blocked counts as empty. */
const entriesOf = (account: string): [key: string, text: string][] =>
  withStorage(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(prefixOf(account)))
      .sort()
      .map((key): [string, string] => [key, localStorage.getItem(key) ?? '']),
  ) ?? []

/** An entry that is damaged, or of another version of the page, is left alone. */
const parse = (account: string, [key, text]: [string, string]): WaitingForm[] => {
  try {
    const { kind, values, after, key: idempotencyKey, triedAt, refusal } = JSON.parse(text)
    const isValid =
      typeof kind === 'string' &&
      typeof idempotencyKey === 'string' &&
      typeof values?.name === 'string' &&
      ['number', 'undefined'].includes(typeof triedAt) &&
      ['string', 'undefined'].includes(typeof refusal)
    if (!isValid) return []
    const id = key.slice(prefixOf(account).length)
    const afterwards = typeof after === 'object' && after !== null ? { after } : {}
    return [{ id, kind, values, ...afterwards, key: idempotencyKey, triedAt, refusal }]
  } catch {
    return []
  }
}

const list = (account: string) => entriesOf(account).flatMap((entry) => parse(account, entry))

/** Those of other sign-ins of this account, and those that an earlier version of the page has stored under its address. */
const listEarlier = ({ account, signIn, email }: SignIn): EarlierForm[] => {
  const owners = new Set(entriesOf(account).map(([key]) => key.slice('waiting:'.length, key.lastIndexOf(':'))))
  owners.delete(ownerOf({ account, signIn }))
  return [...owners, email].flatMap((owner) => list(owner).map((form) => ({ ...form, owner })))
}

export const waitingForms = {
  /** The oldest first, because ids begin with their time. */
  list,

  get: (account: string, id: string) => list(account).find((form) => form.id === id),

  listEarlier,

  /** The person has chosen to send a form of an earlier sign-in. */
  take: (account: string, { owner, ...form }: EarlierForm) => {
    if (waitingForms.keep(account, { ...form, refusal: undefined })) waitingForms.delete(owner, form.id)
  },

  /** False when this device refuses to store the form. */
  keep: (account: string, { id, ...form }: WaitingForm): boolean => {
    const isKept = withStorage(() => {
      localStorage.setItem(prefixOf(account) + id, JSON.stringify(form))
      return true
    })
    notify()
    return isKept ?? false
  },

  delete: (account: string, id: string) => {
    withStorage(() => localStorage.removeItem(prefixOf(account) + id))
    notify()
  },

  /** Those of every sign-in of this account. */
  deleteAll: (signIn: SignIn) => {
    const account = ownerOf(signIn)
    for (const { id } of list(account)) waitingForms.delete(account, id)
    for (const { owner, id } of listEarlier(signIn)) waitingForms.delete(owner, id)
  },

  newId: () => `${Date.now()}.${crypto.getRandomValues(new Uint32Array(1))[0]}`,
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The waiting forms of this sign-in, current in every tab. */
export const useWaitingForms = (account: string): WaitingForm[] => {
  const text = useSyncExternalStore(subscribe, () => JSON.stringify(list(account)))
  return JSON.parse(text)
}

/** The forms of earlier sign-ins, which are only offered. */
export const useEarlierForms = (signIn: SignIn): EarlierForm[] => {
  const text = useSyncExternalStore(subscribe, () => JSON.stringify(listEarlier(signIn)))
  return JSON.parse(text)
}

export const countForms = (count: number) => (count === 1 ? '1 form' : `${count} forms`)
