import type { Person, PersonAct } from '#contract/programme.ts'
import type { Actor } from '#server/audit-log/actor.ts'
import {
  approve,
  demote,
  disable,
  enable,
  endTokens,
  hasSessionsOrLinks,
  promote,
  reset,
  signOut,
  switchTwoFactorOff,
} from '#server/auth/account-admin.ts'
import { type KnownAccount, stateOf } from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import { AppError } from '#server/http/errors.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { isManager } from '#server/rights.ts'
import { eraseFellow } from './erase-fellow.ts'

/** What an act finds: work to do, its result, or a state in which it is refused. */
type Outcome = 'do' | 'done' | 'refused'

/** What outcomes depend on. */
type Facts = Parameters<typeof stateOf>[0] & Pick<KnownAccount, 'role' | 'hasTwoFactor'>

type By = { by: Actor; ledger: Ledger; isMailed: boolean }

/** An act of a manager on an account. */
type Act = {
  summary: string
  operationId: string
  /** Asks the manager to prove who they are: on any account, or on that of a manager. */
  confirms?: 'always' | 'for managers'
  /** On the account of a manager it is the operator's. */
  isForFellowsOnly?: true
  /** It is refused in states that are absent. An erased account is in none. */
  states: Partial<Record<Exclude<Person['state'], 'erased'>, Outcome>>
  /** The outcome where it is another than that of the state. */
  unless?: (account: Facts) => Outcome | false
  /** Why it is refused in a state. */
  refusal?: string
  /** Returns the token of a link, if it makes one. */
  work: (tx: Database, account: KnownAccount, by: By) => Promise<unknown>
}

export const acts: Record<PersonAct, Act> = {
  approve: {
    ...{ operationId: 'approvePerson', summary: 'Approve an account that waits for it' },
    states: { pending: 'do' },
    refusal: 'This account is not waiting for approval.',
    work: (tx, account, { by }) => approve(tx, account, by),
  },
  disable: {
    ...{ operationId: 'disablePerson', summary: 'Disable an account, and end its sessions' },
    confirms: 'for managers',
    states: { active: 'do', pending: 'do', disabled: 'done', left: 'done' },
    work: (tx, account, { by }) => disable(tx, account, by),
  },
  enable: {
    ...{ operationId: 'enablePerson', summary: 'Enable a disabled account' },
    confirms: 'for managers',
    states: { active: 'done', disabled: 'do', left: 'do' },
    refusal: 'This account is waiting for approval. Approve it.',
    work: (tx, account, { by }) => enable(tx, account, by),
  },
  'end-sessions': {
    ...{ operationId: 'endSessionsOfPerson', summary: 'Sign an account out everywhere' },
    states: { active: 'do', pending: 'do', disabled: 'done', left: 'done' },
    work: async (tx, account, { by }) => (await hasSessionsOrLinks(tx, account)) && signOut(tx, account, by),
  },
  'end-tokens': {
    ...{ operationId: 'endTokensOfPerson', summary: 'End all access tokens of an account' },
    states: { active: 'do', pending: 'done', disabled: 'done', left: 'done' },
    work: (tx, account, { by }) => endTokens(tx, account, by),
  },
  'reset-password': {
    ...{ operationId: 'resetPasswordOfPerson', summary: 'Delete a password, and mail or show a link to a new one' },
    ...{ confirms: 'always', isForFellowsOnly: true },
    states: { active: 'do' },
    refusal: 'Only the password of an active account can be reset.',
    work: (tx, account, { by, isMailed }) => reset(tx, account, by, isMailed),
  },
  'reset-two-factor': {
    ...{ operationId: 'resetTwoFactorOfPerson', summary: 'Turn the second factor of an account off' },
    ...{ confirms: 'always', isForFellowsOnly: true },
    states: { active: 'do' },
    unless: ({ hasTwoFactor }) => !hasTwoFactor && 'done',
    refusal: 'Only the second factor of an active account can be turned off.',
    work: (tx, account, { by }) => switchTwoFactorOff(tx, account, by),
  },
  'make-manager': {
    ...{ operationId: 'makeManager', summary: 'Make a person a manager', confirms: 'always' },
    states: { active: 'do' },
    unless: (account) => isManager(account) && 'refused',
    refusal: 'Only an active fellow can become a manager.',
    work: (tx, account, { by }) => promote(tx, account, by),
  },
  demote: {
    ...{ operationId: 'demoteManager', summary: 'Make a manager a fellow', confirms: 'always' },
    states: { active: 'do', pending: 'do', disabled: 'do', left: 'do' },
    unless: (account) => !isManager(account) && 'done',
    work: (tx, account, { by }) => demote(tx, account, by),
  },
  erase: {
    ...{ operationId: 'erasePersonsAccount', summary: 'Erase an account. What the person has added stays' },
    confirms: 'always',
    states: { active: 'do', pending: 'do', disabled: 'do', left: 'do' },
    work: (tx, account, { by, ledger }) => eraseFellow(tx, account, by, ledger),
  },
}

const ERASED = 'This account was erased. Nothing can be done with it.'
export const erased = () => new AppError(409, ERASED)

export function outcomeOf(name: PersonAct, account: Facts): Outcome {
  const { states, unless } = acts[name]
  const state = stateOf(account)
  const outcome = state === 'erased' ? undefined : states[state]
  return outcome === undefined ? 'refused' : unless?.(account) || outcome
}

/** The 409 of an act on an account in a state in which it is refused. */
export const refusalOf = (name: PersonAct, account: Facts) =>
  new AppError(409, (stateOf(account) === 'erased' ? undefined : acts[name].refusal) ?? ERASED)
