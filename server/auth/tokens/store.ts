import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { TOKENS_MAX } from '#contract/limits.ts'
import { isTokenAllowed, type TokenScope, type TokensAllowed } from '#contract/token-scopes.ts'
import type { TokenInput } from '#contract/tokens.ts'
import type { CallerToken } from '#server/auth/sessions/session.ts'
import { isManaging } from '#server/auth/store.ts'
import { createSecret, lastFourOf, storedSecret } from '#server/auth/tokens/secret.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { prepared } from '#server/db/prepared.ts'
import { accessTokens, accounts, settings } from '#server/db/schema.ts'
import type { Settings } from '#server/env.ts'
import { AppError } from '#server/http/errors.ts'

export type TokenChoice = { allowed: TokensAllowed; assistant: boolean }
type Environment = Pick<Settings, 'tokens'>

const KEY = 'tokens'

/** What managers have chosen, as text; null while they have chosen nothing. */
const chosen = sql<
  string | null
>`(select ${settings.value} from ${settings} where ${settings.key} = ${sql.raw(`'${KEY}'`)})`
const isManaged = sql<boolean>`exists (select from ${accounts} where ${isManaging})`

const NOTHING: TokenChoice = { allowed: 'none', assistant: false }

/** Managers decide; the environment does while there is none. */
const choiceOf = ({ tokens }: Environment, row: { chosen: string | null; isManaged: boolean }): TokenChoice => {
  if (!row.isManaged) return tokens
  return row.chosen === null ? NOTHING : (JSON.parse(row.chosen) as TokenChoice)
}

/** Which tokens fellows may have, and whether assistants may come in. */
export async function getTokenChoice(db: Database, environment: Environment): Promise<TokenChoice> {
  const [row] = await rowsOf<{ chosen: string | null; isManaged: boolean }>(
    db,
    sql`select ${chosen} as chosen, ${isManaged} as "isManaged"`,
  )
  return choiceOf(environment, row as { chosen: string | null; isManaged: boolean })
}

/** Ends the tokens that are allowed no more. */
export async function setTokenChoice(tx: Database, choice: TokenChoice): Promise<void> {
  const value = JSON.stringify(choice)
  await tx.insert(settings).values({ key: KEY, value }).onConflictDoUpdate({ target: settings.key, set: { value } })
  if (choice.allowed === 'all') return
  await endTokens(
    tx,
    choice.allowed === 'none' ? sql`true` : sql`(${accessTokens.canExport} or ${accessTokens.canWrite})`,
  )
}

type Row = Pick<typeof accessTokens.$inferSelect, 'id' | 'name' | 'canExport' | 'canWrite'>

const scopesOf = ({ canExport, canWrite }: Row): TokenScope[] => [
  'read',
  ...(canExport ? (['export'] as const) : []),
  ...(canWrite ? (['write'] as const) : []),
]

const isLive = and(isNull(accessTokens.endedAt), gt(accessTokens.expiresAt, sql`now()`))

const liveToken = prepared((db) =>
  db
    .select({
      id: accessTokens.id,
      name: accessTokens.name,
      canExport: accessTokens.canExport,
      canWrite: accessTokens.canWrite,
      expiresAt: accessTokens.expiresAt,
      // Written once a minute, not on every request.
      isNoted: sql<boolean>`coalesce(${accessTokens.lastUsedAt} >= date_trunc('minute', now()), false)`,
      publicId: accounts.publicId,
      account: {
        id: accounts.id,
        name: accounts.name,
        email: accounts.email,
        emailVerified: accounts.emailVerified,
      },
      chosen,
      isManaged,
    })
    .from(accessTokens)
    .innerJoin(accounts, eq(accounts.id, accessTokens.accountId))
    .where(
      and(
        eq(accessTokens.hash, sql.placeholder('hash')),
        isLive,
        // The end of an account ends its tokens. This check covers one that is made at that very moment.
        isNull(accounts.disabledAt),
        isNull(accounts.pendingSince),
      ),
    )
    .prepare('live_token'),
)

/** The live token with this text, if it may be used, in one query without a cache. */
export async function findToken(db: Database, environment: Environment, secret: string) {
  const [row] = await liveToken(db).execute({ hash: storedSecret(secret) })
  if (row === undefined) return undefined
  const token: CallerToken = { id: row.id, name: row.name, scopes: scopesOf(row) }
  return isTokenAllowed(choiceOf(environment, row).allowed, token.scopes) ? { ...row, token } : undefined
}

type LiveRow = Row & { chosen: string | null; isManaged: boolean }

/** The tokens among these that have not ended, and may be used. */
export async function findLiveTokens(db: Database, environment: Environment, ids: string[]): Promise<Set<string>> {
  const rows = await rowsOf<LiveRow>(
    db,
    sql`select ${accessTokens.id}, can_export as "canExport", can_write as "canWrite", ${chosen} as chosen, ${isManaged} as "isManaged"
      from ${accessTokens} join ${accounts} on ${accounts.id} = ${accessTokens.accountId}
      where ${accessTokens.id} = any (${sql.param(ids)}::uuid[]) and ${isLive} and ${accounts.disabledAt} is null`,
  )
  const mayBeUsed = (row: LiveRow) => isTokenAllowed(choiceOf(environment, row).allowed, scopesOf(row))
  return new Set(rows.filter(mayBeUsed).map(({ id }) => id))
}

/** Remembers when a token was used, to the minute, and from where. */
export async function noteUse(db: Database, id: string, network: string): Promise<void> {
  await db
    .update(accessTokens)
    .set({ lastUsedAt: sql`date_trunc('minute', now())`, lastNetwork: network })
    .where(eq(accessTokens.id, id))
}

const tooMany = () => new AppError(409, `You have ${TOKENS_MAX} access tokens. End one first.`)
const notAllowed = () => new AppError(409, 'Managers do not allow such access tokens here.')

/** What making one may refuse, for the head of its route. */
export const createRefusals = () => [tooMany(), notAllowed()]

/** Makes a token, and returns its text, which is stored nowhere. The caller has locked the account. */
export async function createToken(
  tx: Database,
  environment: Environment,
  accountId: string,
  { name, scopes, days }: TokenInput,
): Promise<{ id: string; secret: string }> {
  // A choice of managers that comes meanwhile waits, and ends it.
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtextextended('token choice', 0))`)
  const { allowed } = await getTokenChoice(tx, environment)
  if (allowed === 'none' || !isTokenAllowed(allowed, scopes)) throw notAllowed()
  if ((await tx.$count(accessTokens, and(eq(accessTokens.accountId, accountId), isLive))) >= TOKENS_MAX) throw tooMany()
  const [id, secret] = [uuidv7(), createSecret()]
  await tx.insert(accessTokens).values({
    ...{ id, accountId, name, hash: storedSecret(secret), lastFour: lastFourOf(secret) },
    ...{ canExport: scopes.includes('export'), canWrite: scopes.includes('write') },
    expiresAt: sql`now() + make_interval(days => ${days})`,
  })
  return { id, secret }
}

/** Lets no token be made until the transaction ends. */
export const lockTokenChoice = (tx: Database) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('token choice', 0))`)

/** The live tokens of an account, newest first. */
export const listTokens = async (db: Database, accountId: string) => {
  const rows = await db
    .select()
    .from(accessTokens)
    .where(and(eq(accessTokens.accountId, accountId), isLive))
    .orderBy(desc(accessTokens.createdAt), desc(accessTokens.id))
  return rows.map((row) => ({ ...row, scopes: scopesOf(row) }))
}

/** Ends tokens. A trigger ends their streams and calls in every process. Returns those that were live. */
export const endTokens = (tx: Database, which: ReturnType<typeof sql>) =>
  tx
    .update(accessTokens)
    .set({ endedAt: sql`now()`, hash: null })
    .where(and(which, isNull(accessTokens.endedAt)))
    .returning({ id: accessTokens.id, name: accessTokens.name, expiresAt: accessTokens.expiresAt })

export const endTokensOf = (tx: Database, accountId: string) =>
  endTokens(tx, sql`${accessTokens.accountId} = ${accountId}`)

/** The number of live tokens of the account of the enclosing query. */
export const countedTokens = sql<number>`(
  select count(*)::int from ${accessTokens} where ${accessTokens.accountId} = ${accounts.id} and ${isLive})`
