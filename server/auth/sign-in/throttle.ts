import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { INVITATIONS_A_DAY } from '#contract/programme.ts'
import type { Database } from '#server/db/database.ts'
import { attempts } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { tooManyAttempts } from '#server/http/errors.ts'
import { networkKey } from '#server/http/network-key.ts'

// Limits wrong passwords and codes, questions whether an address has an account, and new accounts. The counters are in
// the database and use its clock, so that all processes agree.

type Limits = Settings['throttle']

const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400

/** Consecutive failures: each makes the next attempt wait longer. They expire `seconds` after the last one. */
type Streak = { key: string; seconds: number; isInARow: true }
/** At most `max` within `seconds` of the first. */
type Window = { key: string; seconds: number; max: number }
export type Counter = Streak | Window

/** The guessed secret: the password at sign-in, a code of the second factor, or the password of an open session. */
type Guess = 'password' | 'code' | 'confirm'

/** The wait after a number of consecutive failures. */
export const waitAfter = (failures: number, { accountFree, accountMaxSeconds }: Limits): number =>
  failures < accountFree ? 0 : Math.min(accountMaxSeconds, 2 ** (failures - accountFree))

/**
 * The counters of a guess at an account. A wrong guess adds to them. A known device has a counter of its own, so that
 * strangers cannot make it wait. All others also share windows, which limit how much many networks can guess together.
 */
export function guessCounters(
  limits: Limits,
  guess: Guess,
  email: string,
  { ip, device }: { ip: string; device: string | undefined },
): Counter[] {
  const account = email.toLowerCase()
  const network = networkKey(ip)
  const inARow = (who: string): Streak => ({
    key: `${guess} ${account} ${who}`,
    seconds: limits.accountForgetSeconds,
    isInARow: true,
  })
  if (device !== undefined) return [inARow(`device ${device}`)]
  return [
    inARow(`from ${network}`),
    { key: `${guess} hour ${account}`, seconds: HOUR_SECONDS, max: limits.accountHour },
    { key: `${guess} day ${account}`, seconds: DAY_SECONDS, max: limits.accountDay },
    { key: `${guess} ip ${network}`, seconds: limits.ipSeconds, max: limits.ipFailures },
  ]
}

/** Requests that reveal whether an address has an account, across all calls. */
export const questionsFrom = (limits: Limits, ip: string): Window => ({
  key: `question ${networkKey(ip)}`,
  seconds: limits.checkUserSeconds,
  max: limits.checkUser,
})

/** New accounts. */
export const signUpsFrom = (limits: Limits, ip: string): Window => ({
  key: `sign-up ${networkKey(ip)}`,
  seconds: limits.signUpSeconds,
  max: limits.signUp,
})

const secondsUntil = (column: typeof attempts.blockedUntil | typeof attempts.forgetAt) =>
  sql<number>`coalesce(extract(epoch from ${column} - now()), 0)::float8`

/** Throws the 429, with the longest wait, while any of the counters is full. */
export async function refuseWhileFull(db: Database, counters: Counter[]): Promise<void> {
  const rows = await db
    .select({
      key: attempts.key,
      count: attempts.count,
      blocked: secondsUntil(attempts.blockedUntil),
      left: secondsUntil(attempts.forgetAt),
    })
    .from(attempts)
    .where(
      and(
        inArray(
          attempts.key,
          counters.map(({ key }) => key),
        ),
        gt(attempts.forgetAt, sql`now()`),
      ),
    )
  const waits = counters.map((counter) => {
    const row = rows.find(({ key }) => key === counter.key)
    if (row === undefined) return 0
    if ('isInARow' in counter) return row.blocked
    return row.count >= counter.max ? row.left : 0
  })
  const seconds = Math.ceil(Math.max(0, ...waits))
  if (seconds > 0) throw tooManyAttempts(seconds)
}

/** Counts a wrong guess. */
export async function countFailure(db: Database, limits: Limits, counters: Counter[]): Promise<void> {
  for (const counter of counters) {
    const isInARow = 'isInARow' in counter
    const count = await countTry(db, counter.key, counter.seconds, isInARow ? 'extend' : 'keep')
    const wait = isInARow ? waitAfter(count, limits) : 0
    if (wait === 0) continue
    await db
      .update(attempts)
      .set({ blockedUntil: sql`now() + make_interval(secs => ${wait})` })
      .where(eq(attempts.key, counter.key))
  }
}

/** A right guess resets the consecutive failures. The windows stay. */
export async function deleteFailures(db: Database, counters: Counter[]): Promise<void> {
  const inARow = counters.filter((counter) => 'isInARow' in counter).map(({ key }) => key)
  await db.delete(attempts).where(inArray(attempts.key, inARow))
}

/** What a manager has invited in a day. */
export const invitationsOf = (accountId: string): Window => ({
  key: `invitations ${accountId}`,
  seconds: DAY_SECONDS,
  max: INVITATIONS_A_DAY,
})

/** Counts requests in a window. Throws the 429 above the limit. */
export async function countOrRefuse(db: Database, window: Window, requests = 1): Promise<void> {
  const count = await countTry(db, window.key, window.seconds, 'keep', requests)
  if (count > window.max) await refuseWhileFull(db, [window])
}

/**
 * Counts a request for a mail, whether or not the account exists. Throws the 429 when there were too many to the
 * address or from the network.
 */
export async function countMail(db: Database, limits: Limits, email: string, ip: string): Promise<void> {
  if (!(await isMailFree(db, limits, email, ip, 'anyone'))) throw tooManyAttempts(limits.mailSeconds)
}

/**
 * Like `countMail`, but returns false when there were too many. A mail whose `owner` has shown the password is counted
 * apart from those that `anyone` requests, and so are those to the addresses to which a `mover` moves an account.
 */
export async function isMailFree(
  db: Database,
  limits: Limits,
  email: string,
  ip: string,
  askedBy: keyof typeof mailOf,
): Promise<boolean> {
  const mail = mailOf[askedBy]
  const from = await countTry(db, `${mail} from ${networkKey(ip)}`, limits.mailSeconds, 'keep')
  if (from > limits.mailIp) return false
  return (await countTry(db, `${mail} to ${email.toLowerCase()}`, limits.mailSeconds, 'keep')) <= limits.mail
}

const mailOf = { owner: 'own mail', anyone: 'mail', mover: 'address mail' }

/** Deletes expired counters. */
export async function deleteOldAttempts(db: Database): Promise<void> {
  await db.delete(attempts).where(sql`${attempts.forgetAt} < now()`)
}

/**
 * Adds attempts and returns the count. The window ends `seconds` after the first attempt, or with `extend` after the
 * last.
 */
async function countTry(
  db: Database,
  key: string,
  seconds: number,
  window: 'keep' | 'extend',
  added = 1,
): Promise<number> {
  const end = sql`now() + make_interval(secs => ${seconds})`
  const [row] = await db
    .insert(attempts)
    .values({ key, count: added, forgetAt: end })
    .onConflictDoUpdate({
      target: attempts.key,
      set: {
        count: sql`case when ${attempts.forgetAt} <= now() then 0 else ${attempts.count} end + ${added}::int`,
        blockedUntil: sql`case when ${attempts.forgetAt} > now() then ${attempts.blockedUntil} end`,
        forgetAt:
          window === 'extend'
            ? end
            : sql`case when ${attempts.forgetAt} <= now() then ${end} else ${attempts.forgetAt} end`,
      },
    })
    .returning({ count: attempts.count })
  return row?.count ?? 1
}
