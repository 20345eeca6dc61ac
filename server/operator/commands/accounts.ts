import { parseArgs } from 'node:util'
import {
  disable,
  enable,
  type ListedAccount,
  listAccounts,
  reset,
  signOut,
  switchTwoFactorOff,
  vouchFor,
} from '#server/auth/administer.ts'
import { linkTo } from '#server/auth/one-time-tokens.ts'
import { findAccount, type KnownAccount } from '#server/auth/store.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Command, EXIT_USAGE, type OperatorContext } from '../command.ts'

type Did = { sentence: string; link?: string }

/** What can be done to one account; each says what it did. */
const verbs: Record<string, (context: OperatorContext, account: KnownAccount) => Promise<Did>> = {
  async disable({ db }, account) {
    const ended = await disable(db, account)
    return { sentence: `${account.email} is disabled; ${sessionsInWords(ended)}.` }
  },
  async enable({ db }, account) {
    await enable(db, account)
    return { sentence: `${account.email} is enabled.` }
  },
  async reset({ db, settings }, account) {
    const link = linkTo(settings, '/auth/reset', await reset(db, account))
    const sentence = `The password and the sessions of ${account.email} have ended. This link sets a new one, once, within a day:`
    return { sentence, link }
  },
  async 'end-sessions'({ db }, account) {
    return { sentence: `Of ${account.email} ${sessionsInWords(await signOut(db, account))}.` }
  },
  async 'two-factor-off'({ db }, account) {
    await switchTwoFactorOff(db, account)
    return { sentence: `${account.email} signs in without a second factor, until it is set up again.` }
  },
  async verify({ db }, account) {
    await vouchFor(db, account)
    return { sentence: `The address ${account.email} counts as proven.` }
  },
}

export const accounts: Command = {
  name: 'accounts',
  usage: `list [--search TEXT] [--json] | ${Object.keys(verbs).join('|')} EMAIL [--json]`,
  summary: 'who has an account; disabling, resetting and signing out',
  async run(context, args) {
    const words = readWords(args)
    if (words === undefined) return EXIT_USAGE
    const { verb, email, search, isJson } = words
    const say = (json: unknown, lines: string[]) => {
      for (const line of isJson ? [JSON.stringify(json, undefined, 2)] : lines) context.out(line)
    }
    if (verb === 'list') {
      const found = await listAccounts(context.db, search)
      say(found, tableOf(found))
      return 0
    }
    const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (act === undefined || email === undefined) return EXIT_USAGE
    const account = await findAccount(context.db, email)
    if (account === undefined) throw new StartupError(`There is no account with the address ${email}.`)
    const { sentence, link } = await act(context, account)
    say({ email: account.email, done: verb, ...(link !== undefined && { link }) }, [sentence, ...(link ? [link] : [])])
    return 0
  },
}

/** What was typed, or undefined when it is not one of the forms in `usage`. */
function readWords(args: string[]) {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { search: { type: 'string' }, json: { type: 'boolean' } },
    })
    const [verb = '', email, ...more] = positionals
    const isList = verb === 'list'
    if (more.length > 0 || (isList && email !== undefined) || (!isList && values.search !== undefined)) return undefined
    return { verb, email, search: values.search, isJson: values.json === true }
  } catch {
    return undefined
  }
}

const sessionsInWords = (count: number) => (count === 1 ? 'its session has ended' : `its ${count} sessions have ended`)

const yes = (is: boolean) => (is ? 'yes' : 'no')

const COLUMNS: [heading: string, cell: (account: ListedAccount) => string][] = [
  ['EMAIL', ({ email }) => email],
  // Names are what people typed, and may hold what moves a terminal's cursor or turns its lines around.
  ['NAME', ({ name }) => name.replaceAll(/\p{C}/gu, '')],
  ['PROVEN', ({ isVerified }) => yes(isVerified)],
  ['DISABLED', ({ isDisabled }) => yes(isDisabled)],
  ['TWO-FACTOR', ({ hasTwoFactor }) => yes(hasTwoFactor)],
  ['WAYS IN', ({ waysIn }) => waysIn.join(', ')],
  ['SESSIONS', ({ sessions }) => String(sessions)],
  ['LAST SEEN', ({ lastSeenAt }) => lastSeenAt ?? ''],
]

function tableOf(accounts: ListedAccount[]): string[] {
  const rows = [COLUMNS.map(([heading]) => heading), ...accounts.map((one) => COLUMNS.map(([, cell]) => cell(one)))]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
