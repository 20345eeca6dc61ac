import { hash } from '@node-rs/argon2'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { disable, reset } from '#server/auth/account-admin.ts'
import { createToken } from '#server/auth/links/one-time-tokens.ts'
import { getAccount, type KnownAccount, lockAccount, setPassword } from '#server/auth/store.ts'
import { rowsOf } from '#server/db/database.ts'
import { oneTimeTokens, sessions } from '#server/db/schema.ts'
import { subscribe } from '#server/telemetry.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { hashPassword } from './passwords.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const NEW = 'an entirely new one'
const WRONG_PAIR = { status: 401, body: { error: 'The email address or the password is wrong' } }
const DISABLED = { status: 403, body: { error: 'This account is disabled. Ask an administrator.' } }

const login = (email: string, password = PASSWORD) => test.visitor().post('/api/auth/login', { email, password })
const sessionsOf = ({ id }: { id: string }) => test.db.select().from(sessions).where(eq(sessions.accountId, id))
const known = async (id: string) => (await getAccount(test.db, id)) as KnownAccount

/** Makes the password check of an account take seconds, so that the account can change during the check. */
async function slowDown(id: string): Promise<KnownAccount> {
  await setPassword(test.db, id, await hash(PASSWORD, { memoryCost: 19_456, timeCost: 40, parallelism: 1 }))
  return known(id)
}
const slowAccount = async () => slowDown((await makeAccount(test.db)).id)

const resetByLink = async ({ id }: { id: string }) => {
  const token = await createToken(test.db, 'reset', id, 60)
  return test.visitor().post('/api/auth/reset/confirm', { token, password: NEW })
}

/** Starts `work`, and returns once it has sent this many statements. */
async function underWay<Answer>(statements: number, work: () => Promise<Answer>): Promise<{ answer: Promise<Answer> }> {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  let left = statements
  const stop = subscribe('statement', () => {
    left -= 1
    if (left === 0) resolve()
  })
  const answer = work()
  await Promise.race([asked, answer])
  stop()
  return { answer }
}

/** A sign-in that has read the account and is checking its password. */
const signInUnderWay = (email: string) => underWay(2, () => login(email))

describe('A sign-in in progress', { timeout: 60_000 }, () => {
  it.each<[string, (account: KnownAccount) => Promise<unknown>, typeof WRONG_PAIR]>([
    ['its password is replaced by a link', resetByLink, WRONG_PAIR],
    ['the operator ends its password', (account) => reset(test.db, account, 'operator'), WRONG_PAIR],
    ['the operator disables it', (account) => disable(test.db, account, 'operator'), DISABLED],
  ])('to an account is refused when %s before it ends', async (_what, act, refusal) => {
    const account = await slowAccount()
    const { answer } = await signInUnderWay(account.email)
    await act(account)
    expect(await answer).toMatchObject(refusal)
    expect(await sessionsOf(account)).toEqual([])
  })

  it('also issues no half sign-in, where a code of an app is required', { tags: 'slow' }, async () => {
    const account = await slowAccount()
    await test.db.execute(
      sql`insert into two_factors (account_id, secret, confirmed_at) values (${account.id}, '', now())`,
    )
    const { answer } = await signInUnderWay(account.email)
    await resetByLink(account)
    expect(await answer).toMatchObject(WRONG_PAIR)
    expect(await test.db.$count(oneTimeTokens, eq(oneTimeTokens.accountId, account.id))).toBe(0)
  })

  it('is refused when a second factor is switched on before it ends', { tags: 'slow' }, async () => {
    const account = await slowAccount()
    const { answer } = await signInUnderWay(account.email)
    await test.db.execute(
      sql`insert into two_factors (account_id, secret, confirmed_at) values (${account.id}, '', now())`,
    )
    expect(await answer).toMatchObject(WRONG_PAIR)
  })

  it('waits for a change that is not committed yet', async () => {
    const account = await known((await makeAccount(test.db)).id)
    const hashOfNew = await hashPassword(NEW)
    const { answer } = await test.db.transaction(async (tx) => {
      await lockAccount(tx, account.id, 'change')
      const answer = login(account.email)
      await somebodyWaits()
      await setPassword(tx, account.id, hashOfNew)
      return { answer }
    })
    expect(await answer).toMatchObject(WRONG_PAIR)
    expect(await sessionsOf(account)).toEqual([])
  })
})

describe('A password change in progress', { timeout: 60_000 }, () => {
  it('is refused when the password has changed since it started, and that password stays', {
    tags: 'slow',
  }, async () => {
    const { id, email } = await makeAccount(test.db)
    const client = test.visitor()
    await client.post('/api/auth/login', { email, password: PASSWORD })
    const account = await slowDown(id)
    const change = { currentPassword: PASSWORD, newPassword: 'what a stranger wants' }
    const { answer } = await underWay(3, () => client.post('/api/account/password', change))
    await resetByLink(account)
    expect((await answer).status).toBe(401)
    expect(await sessionsOf(account)).toEqual([])
    expect((await login(email, NEW)).status).toBe(200)
  })
})

/** Waits until a statement of this database waits for a lock, for a few seconds at most. */
async function somebodyWaits(): Promise<void> {
  const waiting = sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const until = Date.now() + 5000
  while (Date.now() < until && (await rowsOf(test.db, waiting)).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
