import { z } from 'zod'
import { counted, forManagers, forOperator, named, type Wording } from './audit-entry.ts'

// What is done to accounts, and what managers and the operator do for the programme.

/** Of an act of the operator, who has no account, and of the ledger after a restore. */
const by = z.enum(['operator', 'ledger'])

const onAccount = { detail: { by, email: z.string() } }

/** An act on what belongs to an account: `Bob’s`, or `their own`. */
const on =
  (verb: string, what: string) =>
  ({ of }: Wording) =>
    `${verb} ${of()} ${what}`

const ofSignIn = {
  'check-user': forManagers('question for an account', 'asked whether an address has an account'),
  register: forManagers('sign-up', 'signed up', { detail: { invitation: z.uuid() } }),
  login: forManagers('sign-in', 'signed in'),
  'two-factor': forManagers('code at sign-in', 'gave a code at sign-in'),
  logout: forManagers('sign-out', 'signed out'),
  verify: forManagers('confirmation of an address', 'confirmed their address'),
  'verify-resend': forManagers('new link to confirm an address', 'asked for a new link to confirm their address'),
  reset: forManagers('link to a new password', 'asked for a link to a new password'),
  'reset-confirm': forManagers('new password by a link', 'set a new password by a link'),
}

const ofOwnAccount = {
  'account-confirm': forManagers('proof of identity', 'proved who they are'),
  'account-password': forManagers('change of a password', 'changed their password'),
  'account-two-factor': forManagers('set-up of a second factor', 'began to set up a second factor'),
  'account-two-factor-confirm': forManagers('second factor', 'turned a second factor on'),
  'account-two-factor-recovery-codes': forManagers('new recovery codes', 'made new recovery codes'),
  'account-sessions': forManagers('end of sessions', 'ended other sessions of their own'),
  'account-address-request': forManagers('link to another address', 'asked for a link to another address'),
  'account-notices': forManagers('read notices', 'read notices about their account'),
  'account-digest': forManagers('choice of the daily mail', 'chose when to get the daily mail'),
  follow: forManagers('choice of what to follow', 'chose what to follow'),
  'mark-inbox': forManagers('mark in the inbox', 'marked lines of the inbox'),
  seen: forManagers('visit', 'marked the news of the dashboard as read'),
  // No entry says who watches what. A refused request has it.
  'watch-search': forOperator('watch of a search', 'chose whether to watch a search'),
  'seen-search': forOperator('visit of a search', 'marked the news of a search as read'),
}

const ofAccounts = {
  'account-name': forManagers(
    'change of a name',
    ({ before, after, of }) =>
      `changed ${of()} name${after.name === undefined ? '' : ` from “${before.name}” to “${after.name}”`}`,
    { notice: 'name' },
  ),
  'account-address': forManagers('change of an address', on('changed', 'address'), {
    ...{ notice: 'address', detail: { by } },
  }),
  'account-two-factor-off': forManagers('end of a second factor', on('turned off', 'second factor'), {
    ...{ notice: 'two_factor', ...onAccount },
  }),
  'stop-digest': forManagers('end of the daily mail', on('stopped', 'daily mail by the link of a mail'), {
    notice: 'digest',
  }),
  'account-token-create': forManagers('new access token', ({ after }) => `made ${named('access token', after.name)}`, {
    ...{ notice: 'token', isToldToActor: true },
  }),
  'account-token-delete': forManagers(
    'end of an access token',
    ({ before }) => `ended ${named('access token', before.name)}`,
  ),
  'account-end-tokens': forManagers('end of access tokens', on('ended', 'access tokens'), {
    ...{ notice: 'tokens_ended', detail: { by, email: z.string() } },
  }),
  'account-reset': forManagers('reset of a password', on('reset', 'password'), { notice: 'password', ...onAccount }),
  'account-change': forManagers('change of a name or an address', on('changed', 'name or address')),
  'account-approve': forManagers('approval', on('approved', 'account'), onAccount),
  'account-disable': forManagers('end of an account', on('disabled', 'account'), onAccount),
  'account-enable': forManagers('return of an account', on('enabled', 'account'), onAccount),
  'account-verify': forManagers('confirmed address', on('marked', 'address as confirmed'), onAccount),
  'account-end-sessions': forManagers('sign-out everywhere', on('signed', 'account out everywhere'), onAccount),
  'account-reset-password': forManagers('reset of a password', on('reset', 'password')),
  'account-reset-two-factor': forManagers('end of a second factor', on('turned off', 'second factor')),
  'account-make-manager': forManagers('new manager', on('gave', 'account the role of manager'), onAccount),
  'account-demote': forManagers('end of a manager', on('gave', 'account the role of fellow'), onAccount),
  'account-allow': forManagers('other spellings', on('let other spellings of', 'address sign up'), onAccount),
  'account-leave': forManagers('leaving', on('marked', 'account as left'), onAccount),
  'account-erase': forManagers('erasure of an account', on('erased', 'account'), { detail: { by, number: z.int() } }),
  'account-invite': forManagers(
    'invitation',
    ({ detail }) => (typeof detail.email === 'string' ? `invited ${detail.email}` : 'made a link of an invitation'),
    onAccount,
  ),
  'account-uninvite': forManagers('withdrawn invitation', 'withdrew an invitation', { detail: { by } }),
}

/** What fellows may have. */
const ALLOWED_WORDS: Readonly<Record<string, string>> = {
  ...{ none: 'no access tokens', read: 'access tokens that only read', all: 'all access tokens' },
}

const ofProgramme = {
  'sign-up': forManagers('change of who may sign up', 'changed who may sign up'),
  sending: forManagers(
    'change of what is sent',
    ({ before, after }) =>
      before.isPaused !== after.isPaused
        ? after.isPaused
          ? 'paused sending'
          : 'went on with sending'
        : after.showsNames
          ? 'put names into what is sent'
          : 'left names out of what is sent',
    { detail: { by } },
  ),
  'token-settings': forManagers('change of who may have access tokens', ({ before, after }) =>
    before.allowed !== after.allowed
      ? `let fellows have ${ALLOWED_WORDS[String(after.allowed)] ?? 'access tokens'}`
      : `turned the door for assistants ${after.assistant ? 'on' : 'off'}`,
  ),
  'channel-create': forManagers('new channel', ({ after }) => `added ${named('channel', after.name)}`),
  'channel-update': forManagers('change of a channel', ({ after }) => `changed ${named('channel', after.name)}`),
  'channel-delete': forManagers('removal of a channel', ({ before }) => `removed ${named('channel', before.name)}`, {
    endsWayOut: true,
  }),
  'channel-test': forManagers('test of a channel', ({ after }) => `sent a test to ${named('channel', after.name)}`),
  'webhook-create': forManagers('new webhook', ({ after }) => `added ${named('webhook', after.name)}`),
  'webhook-update': forManagers('change of a webhook', ({ after }) => `answered for ${named('webhook', after.name)}`),
  'webhook-delete': forManagers('removal of a webhook', ({ before }) => `removed ${named('webhook', before.name)}`, {
    endsWayOut: true,
  }),
  'webhook-test': forManagers('test of a webhook', ({ after }) => `sent a test to ${named('webhook', after.name)}`),
  'search-person': forManagers('search for a person', 'searched everything for a person', {
    detail: { count: z.int(), comments: z.boolean() },
  }),
  'access-report': forManagers('access report', 'opened everything held on a person', {
    detail: { records: z.array(z.uuid()), values: z.int() },
  }),
  erase: forManagers(
    'erasure of a person',
    ({ detail: { records, values } }) =>
      records === undefined
        ? 'erased what is held on a person'
        : `erased ${counted(records, 'record')} and ${counted(values, 'other value')} of a person`,
    {
      detail: {
        ...{ by, erasureId: z.uuid(), reason: z.string(), records: z.int(), values: z.int() },
        since: z.string().nullable(),
        mails: z.array(z.object({ account: z.uuid(), at: z.string() })),
      },
      // Of a value of a record that stays it is a change.
      feed: 'erased',
    },
  ),
  request: forManagers('request', 'made a request'),
}

export const programmeActions = { ...ofSignIn, ...ofOwnAccount, ...ofAccounts, ...ofProgramme }
