import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personActs } from '#contract/programme.ts'
import { rowsOf } from '#server/db/database.ts'
import { accounts, twoFactors } from '#server/db/schema.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { type MailServer, openMailServer } from '#server/test/mail-server.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

// Every act of a manager on an account in every state. An act whose result is already there writes nothing. One that is
// refused does nothing.

const acts = [...personActs, 'leave', 'rename', 'address'] as const

/** `do`: 200, with an entry. `done`: 200, and nothing is written. Otherwise the status, and nothing is written. */
type Expected = 'do' | 'done' | 403 | 409

/** In the order of `acts`. The addresses are confirmed, so no manager changes one. */
const table: [who: string, Expected[]][] = [
  // approve, disable, enable, end-sessions, end-tokens, reset-password, reset-two-factor, make-manager, demote, erase, leave, rename, address
  ['an active fellow', [409, 'do', 'done', 'do', 'do', 'do', 'done', 'do', 'done', 'do', 'do', 'do', 409]],
  [
    'an active fellow with a second factor',
    [409, 'do', 'done', 'do', 'done', 'do', 'do', 'do', 'done', 'do', 'do', 'do', 409],
  ],
  [
    'an active fellow who is signed out',
    [409, 'do', 'done', 'done', 'done', 'do', 'done', 'do', 'done', 'do', 'do', 'do', 409],
  ],
  ['an active manager', [409, 'do', 'done', 'do', 'do', 403, 403, 409, 'do', 'do', 'do', 'do', 403]],
  ['a pending fellow', ['do', 'do', 409, 'done', 'done', 409, 409, 409, 'done', 'do', 409, 'do', 409]],
  ['a disabled fellow', [409, 'done', 'do', 'done', 'done', 409, 409, 409, 'done', 'do', 'do', 'do', 409]],
  [
    'a disabled fellow who was pending',
    [409, 'done', 'do', 'done', 'done', 409, 409, 409, 'done', 'do', 'do', 'do', 409],
  ],
  ['a disabled manager', [409, 'done', 'do', 'done', 'done', 403, 403, 409, 'do', 'do', 'do', 'do', 403]],
  ['a fellow who has left', [409, 'done', 'do', 'done', 'done', 409, 409, 409, 'done', 'do', 'done', 'do', 409]],
  ['a manager who has left', [409, 'done', 'do', 'done', 'done', 403, 403, 409, 'do', 'do', 'done', 'do', 403]],
  ['an erased fellow', [409, 409, 409, 409, 409, 409, 409, 409, 409, 409, 409, 409, 409]],
]

let mails: MailServer
beforeAll(async () => {
  mails = await openMailServer()
})
afterAll(() => mails.close())

async function makePerson({ db }: TestApp, manager: TestClient, who: string) {
  const account = await makeAccount(db, { emailVerified: true, role: who.includes('manager') ? 'manager' : 'fellow' })
  const isOut = /disabled|left|erased/.test(who)
  const [row] = await db
    .update(accounts)
    .set({
      pendingSince: who.includes('pending') ? new Date() : null,
      disabledAt: isOut ? new Date() : null,
      leftAt: who.includes('left') ? new Date() : null,
    })
    .where(eq(accounts.id, account.id))
    .returning({ publicId: accounts.publicId })
  const publicId = row?.publicId ?? ''
  if (who.includes('erased')) expect((await act(manager, publicId, 'erase')).status).toBe(200)
  if (who.includes('second factor'))
    await db.insert(twoFactors).values({ accountId: account.id, secret: 's', confirmedAt: new Date() })
  return { ...account, publicId }
}

/** A person who is signed in where their state lets them. */
async function personOf(test: TestApp, manager: TestClient, who: string) {
  const isIn = !/pending|disabled|left|erased|signed out|second factor/.test(who)
  const person = await makePerson(test, manager, who)
  const client = test.visitor()
  if (isIn) await client.post('/api/auth/login', { email: person.email, password: PASSWORD })
  if (isIn)
    await test.db.execute(sql`insert into access_tokens (id, account_id, name, hash, last_four, can_export, can_write, expires_at)
      values (gen_random_uuid(), ${person.id}, 'Sync', ${person.id}, '', false, false, now() + interval '1 day')`)
  if (who.includes('second factor'))
    await test.db.execute(sql`insert into one_time_tokens (hash, purpose, account_id, expires_at)
      values (${person.id}, 'reset', ${person.id}, now() + interval '1 hour')`)
  return { ...person, client }
}

const act = (manager: TestClient, id: string, name: (typeof acts)[number]) => {
  if (name === 'leave') return manager.post('/api/programme/people/leave', { ids: [id] })
  if (name === 'rename') return manager.patch(`/api/programme/people/${id}`, { name: 'Another Name' })
  if (name === 'address') return manager.patch(`/api/programme/people/${id}`, { email: `${id}@mit.edu` })
  return manager.post(`/api/programme/people/${id}/${name}`)
}

/** Everything that the product keeps of an account. */
async function stateOf({ db }: TestApp, id: string) {
  const [row] = await rowsOf<Record<string, unknown>>(
    db,
    sql`select
      (select to_jsonb(a) from accounts a where id = ${id}) as account,
      (select jsonb_agg(c order by c.id) from credentials c where account_id = ${id}) as credentials,
      (select jsonb_agg(t order by t.hash) from one_time_tokens t where account_id = ${id}) as tokens,
      (select jsonb_agg(s.id order by s.id) from sessions s where account_id = ${id}) as sessions,
      (select jsonb_agg(f) from two_factors f where account_id = ${id}) as "twoFactor",
      (select count(*)::int from ledger where facts ->> 'account' = ${id}) as ledger,
      (select count(*)::int from audit_log where object_id = ${id}) as entries`,
  )
  return row ?? {}
}

describe.each([
  ['with mail', true],
  ['without mail', false],
])('Every act of a manager on an account, %s', (_which, hasMail) => {
  let test: TestApp
  let manager: TestClient
  beforeAll(async () => {
    test = await startTestApp(hasMail ? { SMTP_URL: mails.url, PUBLIC_URL: 'http://sourcebook.test' } : {})
    manager = (await fellowOf(test, { role: 'manager', emailVerified: true })).client
  })
  afterAll(() => test.close())

  it.each(table)('does, or refuses, what the state allows: %s', { tags: 'slow' }, async (who, expected) => {
    const outcomes: Record<string, string | number> = {}
    for (const name of acts) {
      const { id, publicId } = await personOf(test, manager, who)
      const isOut = /disabled|left/.test(who)
      const [shown] = (await manager.get('/api/programme/people?limit=1')).body
      const before = await stateOf(test, id)
      const { status, body } = await act(manager, publicId, name)
      const after = await stateOf(test, id)
      const isSame = JSON.stringify(after) === JSON.stringify(before)
      const isEntered = after.entries === Number(before.entries) + 1
      const outcome = status === 200 ? (isSame ? 'done' : isEntered ? 'do' : 'without an entry') : status
      outcomes[name] = status !== 200 && !isSame ? `${status}, but changed` : outcome
      if (status !== 200) expect(body.error, name).toMatch(/\.$/)
      // The menu offers what would do something.
      if (personActs.some((one) => one === name))
        expect(shown.can.includes(name), name).toBe(
          outcome === 'do' || (name === 'end-sessions' && outcome === 'done' && !isOut),
        )
    }
    expect(outcomes).toEqual(Object.fromEntries(acts.map((name, at) => [name, expected[at]])))
  })

  it.each(['disable', 'leave'] as const)(
    'gives no link to an account that is out by %s, so that its old password works once it is back',
    async (out) => {
      const ada = await personOf(test, manager, 'an active fellow')
      expect((await act(manager, ada.publicId, out)).status).toBe(200)
      const reset = await act(manager, ada.publicId, 'reset-password')
      expect([reset.status, reset.body.link]).toEqual([409, undefined])
      expect((await act(manager, ada.publicId, 'enable')).status).toBe(200)
      await ada.client.get('/api/auth/me')
      expect((await ada.client.post('/api/auth/login', { email: ada.email, password: PASSWORD })).status).toBe(200)
      expect(mails.to(ada.email)).toEqual([])
    },
  )

  it('leaves an entry and a notice of a reset, with its link', async () => {
    const ada = await personOf(test, manager, 'an active fellow')
    const { body } = await act(manager, ada.publicId, 'reset-password')
    const text = hasMail ? (await mails.next(ada.email)).text : body.link
    const token = /token=([\w-]{43})/.exec(text)?.[1]
    const password = 'an entirely new one'
    expect((await test.visitor().post('/api/auth/reset/confirm', { token, password })).status).toBe(204)
    await ada.client.get('/api/auth/me')
    await ada.client.post('/api/auth/login', { email: ada.email, password })
    expect((await ada.client.get('/api/account/notices')).body).toEqual([expect.objectContaining({ what: 'password' })])
  })

  it('lets no one leave where one of several is pending or erased', async () => {
    for (const who of ['a pending fellow', 'an erased fellow']) {
      const [ada, other] = [await personOf(test, manager, 'an active fellow'), await personOf(test, manager, who)]
      const ids = [ada.publicId, other.publicId]
      const before = await stateOf(test, ada.id)
      expect((await manager.post('/api/programme/people/leave', { ids })).status).toBe(409)
      expect(await stateOf(test, ada.id)).toEqual(before)
    }
  })

  it.each([
    ['disable', 'an active manager', 'an active fellow'],
    ['enable', 'a disabled manager', 'a disabled fellow'],
    ['enable', 'a manager who has left', 'a fellow who has left'],
  ] as const)('asks who it is 15 minutes after the last time: %s, of %s, not of %s', async (name, who, fellow) => {
    const [asked, free] = [await personOf(test, manager, who), await personOf(test, manager, fellow)]
    await test.db.execute(sql`update sessions set confirmed_at = now() - interval '16 minutes'`)
    const before = await stateOf(test, asked.id)
    expect((await act(manager, asked.publicId, name)).body.code).toBe('confirm')
    expect(await stateOf(test, asked.id)).toEqual(before)
    expect((await act(manager, free.publicId, name)).status).toBe(200)
    await test.db.execute(sql`update sessions set confirmed_at = now()`)
    expect((await act(manager, asked.publicId, name)).status).toBe(200)
  })

  it('asks who it is only where the right is there, and before it looks at the state', async () => {
    const [other, ada] = [
      await personOf(test, manager, 'an active manager'),
      await personOf(test, manager, 'a disabled fellow'),
    ]
    await test.db.execute(sql`update sessions set confirmed_at = now() - interval '16 minutes'`)
    const unknown = '01900000-0000-7000-8000-000000000001'
    const refused = async (id: string, name: (typeof acts)[number]) => {
      const { status, body } = await act(manager, id, name)
      return [status, body.code]
    }
    expect(await refused(unknown, 'reset-password')).toEqual([404, undefined])
    expect(await refused(unknown, 'leave')).toEqual([404, undefined])
    expect(await refused(other.publicId, 'reset-password')).toEqual([403, undefined])
    expect(await refused(ada.publicId, 'reset-password')).toEqual([403, 'confirm'])
    await test.db.execute(sql`update sessions set confirmed_at = now()`)
    expect(await refused(ada.publicId, 'reset-password')).toEqual([409, undefined])
  })
})

describe('An act that is repeated', () => {
  it('writes and logs nothing: another spelling that is allowed, who may sign up', { tags: 'slow' }, async () => {
    const test = await startTestApp()
    const manager = (await fellowOf(test, { role: 'manager' })).client
    const { email } = await makePerson(test, manager, 'a disabled fellow')
    const signUp = { mode: 'approval', domains: ['mit.edu'] }
    const repeat = async () => {
      expect((await manager.post('/api/programme/allow', { email: email.replace('@', '+2@') })).status).toBe(204)
      expect((await manager.put('/api/programme/sign-up', signUp)).status).toBe(200)
      return rowsOf(
        test.db,
        sql`select action from audit_log where action in ('account-allow', 'sign-up') order by action`,
      )
    }
    expect(await repeat()).toEqual([{ action: 'account-allow' }, { action: 'sign-up' }])
    expect(await repeat()).toEqual([{ action: 'account-allow' }, { action: 'sign-up' }])
    await test.close()
  })
})

it('A link to a new password, asked for while the account is erased, sets none', { tags: 'slow' }, async () => {
  const test = await startTestApp()
  const manager = (await fellowOf(test, { role: 'manager' })).client
  const ada = await personOf(test, manager, 'an erased fellow')
  const token = 'a'.repeat(43)
  await test.db.execute(sql`insert into one_time_tokens (hash, purpose, account_id, expires_at)
    values (translate(encode(sha256(${token}::bytea), 'base64'), '+/=', '-_'), 'reset', ${ada.id}, now() + interval '1 hour')`)
  const { status } = await test.visitor().post('/api/auth/reset/confirm', { token, password: 'an entirely new one' })
  expect([status, (await stateOf(test, ada.id)).credentials]).toEqual([400, null])
  await test.close()
})
