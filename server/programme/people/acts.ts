import type { PersonAct } from '#contract/programme.ts'
import type { Actor } from '#server/audit-log/actor.ts'
import {
  approve,
  deletePasswordOf,
  demote,
  disable,
  enable,
  promote,
  signOut,
  switchTwoFactorOff,
} from '#server/auth/account-admin.ts'
import type { KnownAccount } from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { eraseFellow } from './erase-fellow.ts'

/** An act of a manager on an account. */
type Act = {
  summary: string
  operationId: string
  /** Asks the manager to prove who they are. */
  confirms?: true
  /** On the account of a manager it is the operator's. */
  isForFellowsOnly?: true
  /** Whether it would change anything. */
  isUseful: (account: Pick<KnownAccount, 'email' | 'role' | 'disabledAt' | 'pendingSince' | 'hasTwoFactor'>) => boolean
  work: (db: Database, account: KnownAccount, by: Actor, ledger: Ledger) => Promise<unknown>
}

/** An erased account has no address. Nothing can be done with it. */
export const isErased = ({ email }: Pick<KnownAccount, 'email'>) => email === ''

const isHere = ({ disabledAt }: { disabledAt: Date | null }) => disabledAt === null

export const acts: Record<PersonAct, Act> = {
  approve: {
    ...{ operationId: 'approvePerson', summary: 'Approve an account that waits for it' },
    isUseful: ({ pendingSince }) => pendingSince !== null,
    work: approve,
  },
  disable: {
    ...{ operationId: 'disablePerson', summary: 'Disable an account, and end its sessions' },
    isUseful: isHere,
    work: disable,
  },
  enable: {
    ...{ operationId: 'enablePerson', summary: 'Enable a disabled account' },
    isUseful: (account) => !isHere(account) && !isErased(account),
    work: enable,
  },
  'end-sessions': {
    ...{ operationId: 'endSessionsOfPerson', summary: 'Sign an account out everywhere' },
    isUseful: isHere,
    work: signOut,
  },
  'reset-password': {
    ...{ operationId: 'resetPasswordOfPerson', summary: 'Delete a password, and mail or show a link to a new one' },
    ...{ confirms: true, isForFellowsOnly: true },
    isUseful: isHere,
    work: deletePasswordOf,
  },
  'reset-two-factor': {
    ...{ operationId: 'resetTwoFactorOfPerson', summary: 'Turn the second factor of an account off' },
    ...{ confirms: true, isForFellowsOnly: true },
    isUseful: ({ hasTwoFactor }) => hasTwoFactor,
    work: switchTwoFactorOff,
  },
  'make-manager': {
    ...{ operationId: 'makeManager', summary: 'Make a person a manager', confirms: true },
    isUseful: (account) => account.role === 'fellow' && account.pendingSince === null && isHere(account),
    work: promote,
  },
  demote: {
    ...{ operationId: 'demoteManager', summary: 'Make a manager a fellow', confirms: true },
    isUseful: ({ role }) => role === 'manager',
    work: demote,
  },
  erase: {
    ...{ operationId: 'erasePersonsAccount', summary: 'Erase an account. What the person has added stays' },
    confirms: true,
    isUseful: (account) => !isErased(account),
    work: eraseFellow,
  },
}
