import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TokenScope } from '#contract/token-scopes.ts'
import { demote, disable, enable, leave, promote, reset } from '#server/auth/account-admin.ts'
import { getAccount, type KnownAccount } from '#server/auth/store.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { accounts } from '#server/db/schema.ts'
import { createLog } from '#server/log.ts'
import { tablesOf } from '#server/ops/backup/tables.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { allow, makeToken } from './test/tokens.ts'

let test: TestApp
let manager: Awaited<ReturnType<typeof fellowOf>>
beforeAll(async () => {
  test = await startTestApp()
  manager = await fellowOf(test, { role: 'manager' })
  await allow(test, 'all')
})
afterAll(() => test.close())

/** The same numbers for the same seed. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

type Act = (db: Database, account: KnownAccount) => Promise<unknown>

/** What is done to the owner of a token, and whether it ends the token. */
const acts: Record<string, { act: Act; ends: boolean; unless?: (account: KnownAccount) => boolean }> = {
  promote: { act: (db, account) => promote(db, account, 'operator'), ends: false },
  demote: { act: (db, account) => demote(db, account, 'operator'), ends: false },
  disable: { act: (db, account) => disable(db, account, 'operator'), ends: true },
  leave: { act: (db, account) => leave(db, [account], 'operator'), ends: true },
  enable: { act: (db, account) => enable(db, account, 'operator'), ends: false },
  reset: { act: (db, account) => reset(db, account, 'operator'), ends: true },
  password: {
    act: (db, { id }) => db.execute(sql`update credentials set password = password || 'x' where account_id = ${id}`),
    ends: true,
    unless: ({ passwordHash }) => passwordHash === null,
  },
}
const SCOPES: TokenScope[][] = [['read'], ['export'], ['write'], ['export', 'write']]

async function run(seed: number) {
  const random = randomFrom(seed)
  const one = <Value>(values: readonly Value[]) => values[random(values.length)] as Value
  const { account, client } = await fellowOf(test, { role: one(['fellow', 'manager'] as const) })
  const token = await makeToken(test, client, one(SCOPES))
  const ofOther = await makeFounder(test.db)
  const done: string[] = []
  let isLive = true
  for (let step = 0; step < 6; step += 1) {
    const name = one(Object.keys(acts))
    const known = (await getAccount(test.db, account.id)) as KnownAccount
    const { act, ends, unless } = acts[name] as (typeof acts)[string]
    if (!unless?.(known)) {
      await act(test.db, known)
      done.push(name)
      const changes = name !== 'reset' || known.passwordHash !== null
      const isOut = (name === 'disable' || name === 'leave') && known.disabledAt !== null
      if (ends && changes && !isOut) isLive = false
    }
    const read = await token.get(`/api/founders/${ofOther.id}`)
    const statuses = [
      ...[read.status, read.body.can?.delete ?? false, (await token.get('/api/programme/people')).status],
      ...[(await token.delete(`/api/founders/${ofOther.id}`)).status, (await token.get('/api/founders/export')).status],
    ]
    const expected = isLive ? [200, false, 403, 403, 403] : [401, false, 401, 401, 401]
    expect([seed, done, statuses]).toEqual([seed, done, expected])
  }
}

describe('A token never exceeds its owner, nor a fellow, in any sequence of role changes, disabling, leaving and password changes', () => {
  it('of 10', async () => {
    for (let seed = 1; seed <= 10; seed += 1) await run(seed)
  })

  it('of 100', { tags: 'slow', timeout: 120_000 }, async () => {
    for (let seed = 101; seed <= 200; seed += 1) await run(seed)
  })

  it('and is gone with an erasure of its owner, whatever was before', async () => {
    for (const name of ['disable', 'leave', 'promote'] as const) {
      const { account, client } = await fellowOf(test)
      const token = await makeToken(test, client)
      await acts[name]?.act(test.db, (await getAccount(test.db, account.id)) as KnownAccount)
      if (name === 'promote') await acts.demote?.act(test.db, (await getAccount(test.db, account.id)) as KnownAccount)
      const [row] = await test.db.select().from(accounts).where(eq(accounts.id, account.id))
      const erased = await manager.client.post(`/api/programme/people/${row?.publicId}/erase`)
      expect([name, erased.status, (await token.get('/api/tags')).status]).toEqual([name, 200, 401])
    }
  })
})

it('A token is in no log, history, export, failure, or row of any table, and so in no backup', async () => {
  const lines: string[] = []
  const logged = await startTestApp(
    { TOKENS: 'all' },
    createLog('trace', { write: (line: string) => void lines.push(line) }),
  )
  const { client, account } = await fellowOf(logged)
  const token = await makeToken(logged, client)
  const { id } = await makeFounder(logged.db, { creator: account })
  const answers: string[] = []
  const keep = async ({ text }: { text: string }) => void answers.push(text)
  for (const path of [
    '/api/founders',
    '/api/nothing',
    '/api/account',
    '/api/founders/export?mine=true',
    `/api/founders/${id}/history`,
  ])
    await keep(await token.get(path))
  await keep(await token.put(`/api/founders/${id}`, { notes: 'By a program', version: 1 }))
  await keep(await token.post('/api/founders', { name: 5 }))
  await keep(await logged.visitor().get(`/api/founders?access_token=${token.token}`))
  await keep(await logged.visitor().get(`/api/founders/${token.token}`))
  await keep(await client.get('/api/founders', { headers: { authorization: `Bearer ${token.token}` } }))
  await keep(await client.get('/api/account/tokens'))
  const secret = token.token.slice(4, -6)
  const rows: string[] = []
  for (const { name } of await tablesOf(logged.db))
    for (const { row } of await rowsOf<{ row: string }>(
      logged.db,
      sql`select t::text as row from ${sql.identifier(name)} t`,
    ))
      rows.push(row)
  expect([lines.length > 10, rows.length > 10, answers.length]).toEqual([true, true, 11])
  for (const texts of [lines, rows, answers]) expect(texts.filter((text) => text.includes(secret))).toEqual([])
  await logged.close()
})
