import { parseArgs } from 'node:util'
import {
  allow,
  approve,
  demote,
  disable,
  enable,
  endTokens,
  invite,
  type ListedAccount,
  leave,
  listAccounts,
  promote,
  reset,
  signOut,
  switchTwoFactorOff,
  verify,
} from '#server/auth/account-admin.ts'
import { changeAddress } from '#server/auth/links/address-change.ts'
import { linkTo } from '#server/auth/links/one-time-tokens.ts'
import { invitationLink } from '#server/auth/sign-up/invitations.ts'
import { findAccount, type KnownAccount } from '#server/auth/store.ts'
import { AppError } from '#server/http/errors.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Command, EXIT_USAGE, type OperatorContext } from '../command.ts'
import { wrapped } from '../lines.ts'

type Did = { sentence: string; link?: string }

/** The actions on one account. Each returns the sentence to print. */
const accountVerbs: Record<string, (context: OperatorContext, account: KnownAccount) => Promise<Did>> = {
  async approve({ db }, account) {
    await approve(db, account, 'operator')
    return { sentence: `${account.email} is approved and can sign in.` }
  },
  async 'make-manager'({ db }, account) {
    await promote(db, account, 'operator')
    return { sentence: `${account.email} is a manager.` }
  },
  async demote({ db }, account) {
    await demote(db, account, 'operator')
    return { sentence: `${account.email} is no longer a manager.` }
  },
  async disable({ db }, account) {
    const ended = await disable(db, account, 'operator')
    return { sentence: `${account.email} is disabled; ${sessionsInWords(ended)}.` }
  },
  async leave({ db }, account) {
    await leave(db, [account], 'operator')
    return { sentence: `${account.email} has left. Its sessions have ended; what it added stays.` }
  },
  async enable({ db }, account) {
    await enable(db, account, 'operator')
    return { sentence: `${account.email} is enabled.` }
  },
  async reset({ db, settings }, account) {
    const link = linkTo(settings, '/auth/reset', await reset(db, account, 'operator'))
    const sentence = `The password and the sessions of ${account.email} are no longer valid. This link sets a new password, once, within a day:`
    return { sentence, link }
  },
  async 'end-sessions'({ db }, account) {
    return { sentence: `${account.email}: ${sessionsInWords(await signOut(db, account, 'operator'))}.` }
  },
  async 'end-tokens'({ db }, account) {
    const ended = await endTokens(db, account, 'operator')
    return {
      sentence: `${account.email}: ${ended === 1 ? '1 access token has' : `${ended} access tokens have`} ended.`,
    }
  },
  async 'two-factor-off'({ db }, account) {
    await switchTwoFactorOff(db, account, 'operator')
    return { sentence: `${account.email} now signs in without a second factor.` }
  },
  async verify({ db }, account) {
    await verify(db, account, 'operator')
    return { sentence: `The address ${account.email} is now verified.` }
  },
}

/** The actions on one account that take one more word. */
const changeVerbs: Record<string, (context: OperatorContext, account: KnownAccount, word: string) => Promise<Did>> = {
  async 'change-address'({ db, settings }, account, word) {
    const email = word.toLowerCase()
    await changeAddress(db, settings, account, { email, by: 'operator' })
    return { sentence: `${account.email} is now ${email}. Its sessions have ended; check the address yourself.` }
  },
}

/** The actions that admit people without an account. */
const doorVerbs: Record<string, (context: OperatorContext, email: string | undefined) => Promise<Did>> = {
  async invite({ db, settings }, email) {
    const link = invitationLink(settings, (await invite(db, settings, 'operator', email)).token)
    const who = email === undefined ? 'one person' : email
    return { sentence: `This link lets ${who} sign up, once, within 14 days:`, link }
  },
  async allow({ db }, email = '') {
    const disabled = await allow(db, email, 'operator')
    if (disabled.length === 0) {
      throw new StartupError(`${email} is not another spelling of a disabled account.`)
    }
    return { sentence: `Other spellings of ${disabled.join(', ')} may sign up.` }
  },
}

export const accounts: Command = {
  name: 'accounts',
  usage: `list [--search TEXT] [--json] | invite [EMAIL] [--json] | allow | ${Object.keys(accountVerbs).join(' | ')} EMAIL [--json] | change-address EMAIL NEW_EMAIL [--json]`,
  summary: 'lists accounts; invites, approves, disables and resets them',
  async run(context, args) {
    const words = readWords(args)
    if (words === undefined) return EXIT_USAGE
    const { verb, email, word, search, isJson } = words
    const say = (json: unknown, lines: string[]) => {
      for (const line of isJson ? [JSON.stringify(json, undefined, 2)] : lines) context.out(line)
    }
    if (verb === 'list') {
      const found = await listAccounts(context.db, search)
      say(found, found.flatMap(linesOf))
      return 0
    }
    const act = actOf(verb, word)
    if (act === undefined || (email === undefined && verb !== 'invite')) return EXIT_USAGE
    const { sentence, link } = await act(context, email).catch((error) => {
      throw error instanceof AppError ? new StartupError(error.message) : error
    })
    const json = { ...(email !== undefined && { email: email.toLowerCase() }), done: verb, ...(link && { link }) }
    say(json, [wrapped(sentence).join('\n'), ...(link ? [link] : [])])
    return 0
  },
}

function actOf(verb: string, word: string | undefined) {
  const change = Object.hasOwn(changeVerbs, verb) ? changeVerbs[verb] : undefined
  if (change !== undefined && word !== undefined)
    return async (context: OperatorContext, email = '') => change(context, await existingAccount(context, email), word)
  if (word !== undefined) return undefined
  if (Object.hasOwn(doorVerbs, verb)) return doorVerbs[verb]
  const act = Object.hasOwn(accountVerbs, verb) ? accountVerbs[verb] : undefined
  return act && (async (context: OperatorContext, email = '') => act(context, await existingAccount(context, email)))
}

async function existingAccount({ db }: OperatorContext, email: string): Promise<KnownAccount> {
  const account = await findAccount(db, email)
  if (account === undefined) throw new StartupError(`There is no account with the address ${email}.`)
  return account
}

/** The parsed arguments; undefined when they match no form in `usage`. */
function readWords(args: string[]) {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { search: { type: 'string' }, json: { type: 'boolean' } },
    })
    const [verb = '', email, word, ...more] = positionals
    const isList = verb === 'list'
    if (more.length > 0 || (isList && email !== undefined) || (!isList && values.search !== undefined)) return undefined
    return { verb, email, word, search: values.search, isJson: values.json === true }
  } catch {
    return undefined
  }
}

const sessionsInWords = (count: number) => (count === 1 ? 'its session has ended' : `its ${count} sessions have ended`)

/** People choose their names, which may contain characters that control a terminal. */
const printable = (name: string) => name.replaceAll(/\p{C}/gu, '')

/** Address and name, and below them what is set up. */
function linesOf(account: ListedAccount): string[] {
  const { email, name, role, isPending, isVerified, hasTwoFactor, waysIn, sessions, lastSeenAt } = account
  const facts = [
    role,
    ...(account.hasLeft ? ['left'] : account.isDisabled ? ['disabled'] : []),
    ...(isPending ? ['waits for approval'] : []),
    isVerified ? 'verified' : 'not verified',
    ...waysIn,
    ...(hasTwoFactor ? ['two-factor'] : []),
    sessions === 1 ? '1 session' : `${sessions} sessions`,
    ...(lastSeenAt === null ? [] : [`seen ${lastSeenAt}`]),
  ]
  return [...wrapped(`${email}  ${printable(name)}`, '  '), ...wrapped(`  ${facts.join(', ')}`, '  ')]
}
