import { eq, sql } from 'drizzle-orm'
import ipaddr from 'ipaddr.js'
import { type Database, rowsOf } from '#server/db/database.ts'
import { tries } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { tooManyTries } from '#server/errors.ts'

// Only wrong passwords count, and questions whether an address has an account. Kept in the database, on its clock, so
// that all processes agree.

type Limits = Settings['throttle']

/** How long an account's wrong passwords are remembered after the last of them. */
const FORGET_ACCOUNT_SECONDS = 86_400

const accountKey = (email: string) => `account ${email.toLowerCase()}`

/** The key of a network address: all of an IPv6 /64 is one person, an IPv4 address written as IPv6 is itself. */
export function networkKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

const ipKey = (ip: string) => `ip ${networkKey(ip)}`

/** Throws the 429 while an account or a network address has to wait. */
export async function refuseWhileBlocked(db: Database, limits: Limits, email: string, ip: string): Promise<void> {
  const [{ seconds } = { seconds: 0 }] = await rowsOf<{ seconds: number }>(
    db,
    sql`
      select coalesce(ceil(extract(epoch from max(
        case when key = ${ipKey(ip)} then case when count >= ${limits.ipFailures} then forget_at end else blocked_until end
      ) - now())), 0)::int as seconds
      from tries where key in (${accountKey(email)}, ${ipKey(ip)}) and forget_at > now()`,
  )
  if (seconds > 0) throw tooManyTries(seconds)
}

/** Counts a wrong password: some are free, then each doubles the account's wait, up to a limit. Never a lock. */
export async function countWrongPassword(db: Database, limits: Limits, email: string, ip: string): Promise<void> {
  const count = await countTry(db, accountKey(email), FORGET_ACCOUNT_SECONDS, 'extend')
  if (count >= limits.accountFree) {
    const wait = Math.min(limits.accountMaxSeconds, 2 ** Math.min(count - limits.accountFree, 30))
    await db
      .update(tries)
      .set({ blockedUntil: sql`now() + make_interval(secs => ${wait})` })
      .where(eq(tries.key, accountKey(email)))
  }
  await countTry(db, ipKey(ip), limits.ipSeconds, 'keep')
}

/** A right password takes the account's count back. The network address keeps its own. */
export async function forgetWrongPasswords(db: Database, email: string): Promise<void> {
  await db.delete(tries).where(eq(tries.key, accountKey(email)))
}

/** Counts a question whether an address has an account; throws the 429 when there were too many. */
export async function countCheck(db: Database, limits: Limits, ip: string): Promise<void> {
  const count = await countTry(db, `check ${networkKey(ip)}`, limits.checkUserSeconds, 'keep')
  if (count > limits.checkUser) throw tooManyTries(limits.checkUserSeconds)
}

/**
 * Counts a mail that somebody asked to be sent, whether or not there is such an account; throws the 429 when there were
 * too many to the address, or from the network.
 */
export async function countMail(db: Database, limits: Limits, email: string, ip: string): Promise<void> {
  if (!(await isMailFree(db, limits, email, ip, 'anyone'))) throw tooManyTries(limits.mailSeconds)
}

/**
 * As `countMail`: false when there were too many. A mail for which the `owner` has shown the password is counted apart from
 * those that `anyone` asks for.
 */
export async function isMailFree(
  db: Database,
  limits: Limits,
  email: string,
  ip: string,
  askedBy: 'owner' | 'anyone',
): Promise<boolean> {
  const mail = askedBy === 'owner' ? 'own mail' : 'mail'
  const from = await countTry(db, `${mail} from ${networkKey(ip)}`, limits.mailSeconds, 'keep')
  if (from > limits.mailIp) return false
  return (await countTry(db, `${mail} to ${email.toLowerCase()}`, limits.mailSeconds, 'keep')) <= limits.mail
}

/** Deletes what no longer counts. */
export async function forgetOldTries(db: Database): Promise<void> {
  await db.delete(tries).where(sql`${tries.forgetAt} < now()`)
}

/** Adds one try and answers the count. The window ends `seconds` after the first try, or with `extend` the last. */
async function countTry(db: Database, key: string, seconds: number, window: 'keep' | 'extend'): Promise<number> {
  const end = sql`now() + make_interval(secs => ${seconds})`
  const [row] = await db
    .insert(tries)
    .values({ key, count: 1, forgetAt: end })
    .onConflictDoUpdate({
      target: tries.key,
      set: {
        count: sql`case when ${tries.forgetAt} <= now() then 1 else ${tries.count} + 1 end`,
        blockedUntil: sql`case when ${tries.forgetAt} > now() then ${tries.blockedUntil} end`,
        forgetAt:
          window === 'extend' ? end : sql`case when ${tries.forgetAt} <= now() then ${end} else ${tries.forgetAt} end`,
      },
    })
    .returning({ count: tries.count })
  return row?.count ?? 1
}
