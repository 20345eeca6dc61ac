import { capital } from '#contract/plain-text.ts'
import type { Person, PersonAct } from '#contract/programme.ts'
import { formatAgo } from '#web/lib/dates.ts'

type Words = {
  label: string
  /** Asked first. */
  question?: (name: string) => { title: string; text: string; confirm: string; cancel: string }
  done: (name: string) => string
}

const CANCEL = 'Cancel'

export const words: Record<PersonAct, Words> = {
  approve: { label: 'Approve', done: (name) => `${name} can sign in` },
  disable: {
    label: 'Disable',
    question: (name) => ({
      title: `Disable ${name}?`,
      text: 'Their sessions end immediately and they can no longer sign in. What they added stays.',
      ...{ confirm: 'Disable', cancel: CANCEL },
    }),
    done: (name) => `${name} is disabled`,
  },
  enable: { label: 'Enable', done: (name) => `${name} can sign in again` },
  'end-sessions': {
    label: 'Sign out everywhere',
    question: (name) => ({
      title: `Sign ${name} out everywhere?`,
      text: 'All their sessions end immediately. They can sign in again.',
      ...{ confirm: 'Sign out', cancel: CANCEL },
    }),
    done: (name) => `${name} is signed out everywhere`,
  },
  'end-tokens': {
    label: 'End tokens',
    question: (name) => ({
      title: `End the access tokens of ${name}?`,
      text: 'Programs that use them stop immediately. The fellow can make others.',
      ...{ confirm: 'End tokens', cancel: CANCEL },
    }),
    done: (name) => `The access tokens of ${name} have ended`,
  },
  'reset-password': {
    label: 'Reset password',
    question: (name) => ({
      title: `Reset the password of ${name}?`,
      text: 'Their password and their sessions are no longer valid. They choose a new password through a link.',
      ...{ confirm: 'Reset', cancel: CANCEL },
    }),
    done: (name) => `The password of ${name} is reset`,
  },
  'reset-two-factor': {
    label: 'Turn second factor off',
    question: (name) => ({
      title: `Turn off the second factor of ${name}?`,
      text: 'They sign in with their password alone until they set it up again.',
      ...{ confirm: 'Turn off', cancel: CANCEL },
    }),
    done: (name) => `${name} signs in without a second factor`,
  },
  'make-manager': {
    label: 'Make manager',
    question: (name) => ({
      title: `Make ${name} a manager?`,
      text: 'Managers edit and delete every record, and manage people.',
      ...{ confirm: 'Make manager', cancel: CANCEL },
    }),
    done: (name) => `${name} is a manager`,
  },
  demote: {
    label: 'Make fellow',
    question: (name) => ({
      title: `Make ${name} a fellow?`,
      text: 'They lose the rights of a manager, and their open invitations end.',
      ...{ confirm: 'Make fellow', cancel: CANCEL },
    }),
    done: (name) => `${name} is a fellow`,
  },
  erase: {
    label: 'Erase',
    question: (name) => ({
      title: `Erase ${name}?`,
      text: 'Their name, address, sessions and ways to sign in go for good. The records, notes and finders they added stay, under “Former fellow” and a number. They cannot sign up with this address again until you allow it.',
      ...{ confirm: 'Erase', cancel: CANCEL },
    }),
    done: (name) => `${name} is erased`,
  },
}

const states = {
  ...{ active: undefined, pending: 'Waits for approval', disabled: 'Disabled', left: 'Left', erased: 'Erased' },
}

/** `Manager · Not confirmed · 2 sessions · seen 3 hours ago`. */
export const factsOf = ({ role, state, isVerified, hasTwoFactor, sessions, tokens, lastSeenAt }: Person): string => {
  if (state === 'erased') return states.erased
  return [
    states[state],
    capital(role),
    isVerified ? undefined : 'Address not confirmed',
    hasTwoFactor ? 'Second factor' : undefined,
    sessions === 0 ? 'Not signed in' : sessions === 1 ? '1 session' : `${sessions} sessions`,
    tokens === 0 ? undefined : tokens === 1 ? '1 access token' : `${tokens} access tokens`,
    lastSeenAt === null ? undefined : `seen ${formatAgo(lastSeenAt)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
