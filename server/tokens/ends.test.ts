import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { disable, enable, leave, reset } from '#server/auth/account-admin.ts'
import { findAccount, type KnownAccount } from '#server/auth/store.ts'
import { findLiveTokens } from '#server/auth/tokens/store.ts'
import { rowsOf } from '#server/db/database.ts'
import { accessTokens, accounts } from '#server/db/schema.ts'
import type { App } from '#server/http/app.ts'
import { applyLedger } from '#server/ledger/apply.ts'
import { listLines } from '#server/ledger/store.ts'
import { deleteAccess } from '#server/ops/backup/tables.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { allow, makeToken } from './test/tokens.ts'

const WITHIN_MS = 1_000
const NO_ENVIRONMENT = { tokens: { allowed: 'none', assistant: false } } as const

let test: TestApp
let second: App
let address: string
let manager: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp({ REQUESTS_AT_ONCE: '6' })
  second = await test.startAgain()
  address = await second.listen({ port: 0, host: '127.0.0.1' })
  manager = await fellowOf(test, { role: 'manager' })
  await allow(test, 'all')
})
afterAll(async () => {
  await second.close()
  await test.close()
})

type Fellow = Awaited<ReturnType<typeof fellowOf>>

/** A fellow with records that take long to send, and a token. */
async function owner(records = 300): Promise<Fellow & { token: Awaited<ReturnType<typeof makeToken>> }> {
  const fellow = await fellowOf(test, { emailVerified: true })
  await test.db.execute(sql`
    insert into records (id, kind, name, notes, description, rating, creator_id, search_text)
    select gen_random_uuid(), 'company', 'Large', repeat('語', 10000), repeat('語', 10000), 5, ${fellow.account.id}, ''
    from generate_series(1, ${records}::int)`)
  return { ...fellow, token: await makeToken(test, fellow.client, ['read', 'export']) }
}

/** When the second process closes the connection of its next call: on the way there may be more. */
const endOfNext = () =>
  new Promise<{ at: number; isWhole: boolean }>((resolve) => {
    second.server.once('request', (_request, response) =>
      response.once('close', () => resolve({ at: performance.now(), isWhole: response.writableFinished })),
    )
  })

/** Reads from the second process, slowly. */
async function follow(path: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' }
  const end = endOfNext()
  const answer = await fetch(`${address}${path}`, { headers })
  expect(answer.status).toBe(200)
  await answer.body?.getReader().read()
  return { end }
}

/** A call of an assistant to the second process, whose question is not all there yet. */
async function ask(token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': 100 }
  const [came, end] = [new Promise((resolve) => second.server.once('request', resolve)), endOfNext()]
  request(`${address}/mcp`, { method: 'POST', headers })
    .on('error', () => {})
    .write('{')
  await came
  return { end }
}

/** Reads pages of a list until it is refused. */
async function page(token: string) {
  for (;;) {
    const headers = { authorization: `Bearer ${token}` }
    const { status } = await fetch(`${address}/api/companies?limit=5`, { headers }).catch(() => ({ status: 0 }))
    if (status === 401) return { at: performance.now() }
    if (status !== 200 && status !== 0) throw new Error(String(status))
    await pause(50)
  }
}

const known = async ({ account }: Fellow) => (await findAccount(test.db, account.email)) as KnownAccount

describe('Within a second a token is dead on another process, with its open stream, its big export, its paged list and a call of an assistant', () => {
  const ends: [string, (fellow: Awaited<ReturnType<typeof owner>>) => Promise<unknown>][] = [
    ['disabling', async (fellow) => disable(test.db, await known(fellow), 'operator')],
    ['leaving', async (fellow) => leave(test.db, [await known(fellow)], 'operator')],
    ['a reset of the password', async (fellow) => reset(test.db, await known(fellow), 'operator')],
    [
      'a changed password',
      ({ client }) =>
        client.post('/api/account/password', { currentPassword: PASSWORD, newPassword: 'an entirely new one' }),
    ],
    ['its owner', ({ client, token }) => client.delete(`/api/account/tokens/${token.id}`)],
    [
      'a manager',
      async ({ account }) => {
        const [row] = await test.db.select().from(accounts).where(eq(accounts.id, account.id))
        return manager.client.post(`/api/programme/people/${row?.publicId}/end-tokens`)
      },
    ],
    [
      'erasing',
      async ({ account }) => {
        const [row] = await test.db.select().from(accounts).where(eq(accounts.id, account.id))
        return manager.client.post(`/api/programme/people/${row?.publicId}/erase`)
      },
    ],
    [
      'its expiry',
      ({ token }) =>
        test.db.execute(sql`update access_tokens set expires_at = now() + interval '1 second' where id = ${token.id}`),
    ],
    ['turning off', () => manager.client.put('/api/programme/tokens', { allowed: 'none', assistant: false })],
  ]

  it.each(ends)('by %s', { tags: 'slow', timeout: 60_000 }, async (what, end) => {
    await allow(test, 'all', true)
    const fellow = await owner()
    if (what === 'its expiry') await end(fellow)
    const { token } = fellow.token
    const [stream, file] = [await follow('/api/events', token), await follow('/api/companies/export?mine=true', token)]
    const [asked, paged] = [await ask(token), page(token)]
    if (what !== 'its expiry') await pause(200)
    if (what !== 'its expiry') await end(fellow)
    const acted = performance.now() + (what === 'its expiry' ? 1_000 : 0)
    for (const { at } of [await stream.end, await file.end, await asked.end, await paged]) {
      expect([what, at - acted < WITHIN_MS]).toEqual([what, true])
    }
    for (const { isWhole } of [await file.end, await asked.end]) expect(isWhole).toBe(false)
  })
})

it('Within a second the stream of a token ends once the first manager comes, who decides instead of the environment', {
  tags: 'slow',
}, async () => {
  const other = await startTestApp({ TOKENS: 'all' })
  const at = await other.app.listen({ port: 0, host: '127.0.0.1' })
  const [ada, next] = [await fellowOf(other), await fellowOf(other)]
  const { token } = await makeToken(other, ada.client)
  const headers = { authorization: `Bearer ${token}` }
  const stream = (await fetch(`${at}/api/events`, { headers })).body?.getReader()
  await stream?.read()
  const end = (async () => {
    for (;;) if ((await stream?.read().catch(() => ({ done: true })))?.done) return performance.now()
  })()
  await pause(1_200)
  await other.db.update(accounts).set({ role: 'manager' }).where(eq(accounts.id, next.account.id))
  const acted = performance.now()
  expect((await Promise.race([end, pause(5_000, Number.POSITIVE_INFINITY)])) - acted).toBeLessThan(WITHIN_MS)
  expect((await fetch(`${at}/api/tags`, { headers })).status).toBe(401)
  await other.db.update(accounts).set({ role: 'fellow' }).where(eq(accounts.id, next.account.id))
  expect((await fetch(`${at}/api/tags`, { headers })).status).toBe(200)
  await other.close()
})

describe('An ended token', () => {
  beforeAll(() => allow(test, 'all'))

  it('is a line of the ledger, so that a restore brings none back', async () => {
    const { client, account } = await fellowOf(test)
    const token = await makeToken(test, client)
    const [before] = await test.db.select().from(accessTokens).where(eq(accessTokens.id, token.id))
    await client.delete(`/api/account/tokens/${token.id}`)
    const lines = (await listLines(test.db)).filter((line) => line.kind === 'token' && line.token === token.id)
    expect(lines).toHaveLength(1)
    // As a backup from before its end would bring it back.
    await test.db.execute(sql`delete from ledger where id = ${lines[0]?.id}`)
    await test.db
      .update(accessTokens)
      .set({ endedAt: null, hash: before?.hash ?? null })
      .where(eq(accessTokens.id, token.id))
    const isLive = async () => (await findLiveTokens(test.db, NO_ENVIRONMENT, [token.id])).size === 1
    expect(await isLive()).toBe(true)
    const erase = { listed: async () => {}, fellow: async () => {} }
    await test.db.transaction((tx) => applyLedger(tx, lines, erase))
    expect(await isLive()).toBe(false)
    await enable(test.db, await known({ account, client }), 'operator')
    expect(await isLive()).toBe(false)
  })

  it('is every one after a restore without --keep-sessions', async () => {
    const { client } = await fellowOf(test)
    const token = await makeToken(test, client)
    await test.db.transaction((tx) => deleteAccess(tx))
    expect((await token.get('/api/tags')).status).toBe(401)
  })

  it('of an erased fellow is gone', async () => {
    const fellow = await fellowOf(test)
    await makeToken(test, fellow.client)
    const [row] = await test.db.select().from(accounts).where(eq(accounts.id, fellow.account.id))
    manager = await fellowOf(test, { role: 'manager' })
    expect((await manager.client.post(`/api/programme/people/${row?.publicId}/erase`)).status).toBe(200)
    expect(await rowsOf(test.db, sql`select from access_tokens where account_id = ${fellow.account.id}`)).toEqual([])
  })
})
