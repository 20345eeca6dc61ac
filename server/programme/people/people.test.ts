import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findInvitation } from '#server/auth/sign-up/invitations.ts'
import { accounts, attempts, auditLog, invitations, sessions } from '#server/db/schema.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

type Person = Awaited<ReturnType<typeof person>>

const person = async (overrides: Parameters<typeof makeAccount>[1] = {}) => {
  const account = await makeAccount(test.db, overrides)
  const client = test.visitor()
  await client.post('/api/auth/login', { email: account.email, password: PASSWORD })
  const [row] = await test.db.select({ publicId: accounts.publicId }).from(accounts).where(eq(accounts.id, account.id))
  return { ...account, publicId: row?.publicId ?? '', client }
}
const manager = () => person({ role: 'manager' })
/** With another manager beside, so that neither is the last one. */
const managers = async () => [await manager(), await manager()] as const

const act = ({ client }: Pick<Person, 'client'>, on: Pick<Person, 'publicId'>, name: string) =>
  client.post(`/api/programme/people/${on.publicId}/${name}`)

const isSignedIn = async (client: TestClient) => (await client.get('/api/auth/me')).status === 200

const entryOf = async (action: string, objectId: string) => {
  const rows = await test.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.action, action), eq(auditLog.objectId, objectId)))
  return rows.at(-1)
}

const roleOf = async ({ id }: { id: string }) =>
  (await test.db.select({ role: accounts.role }).from(accounts).where(eq(accounts.id, id)))[0]?.role

/** As if the session had been confirmed 16 minutes ago. */
const letConfirmationExpire = ({ id }: { id: string }) =>
  test.db
    .update(sessions)
    .set({ confirmedAt: new Date(Date.now() - 16 * 60_000) })
    .where(eq(sessions.accountId, id))

describe('A manager', () => {
  it('lists the people by a part of the name or the address, with what may be done with each', async () => {
    const mine = await manager()
    const ada = await person({ name: 'Ada 50% Lovelace' })
    const { body } = await mine.client.get(`/api/programme/people?search=${encodeURIComponent('50% love')}`)
    expect(body).toEqual([
      {
        ...{ id: ada.publicId, name: ada.name, email: ada.email, role: 'fellow', state: 'active', isVerified: false },
        ...{ hasTwoFactor: false, waysIn: ['password'], sessions: 1, tokens: 0 },
        ...{ createdAt: expect.any(String), lastSeenAt: expect.any(String) },
        can: ['disable', 'end-sessions', 'reset-password', 'make-manager', 'erase'],
        canChange: ['name', 'email'],
      },
    ])
    const of = await mine.client.get(`/api/programme/people?search=${mine.email}`)
    expect(of.body[0].can).toEqual(['disable', 'end-sessions', 'demote'])
  })

  it('reads the list page by page, each person once', async () => {
    const { client } = await manager()
    const seen: string[] = []
    for (let url: string | undefined = '/api/programme/people?limit=2'; url !== undefined; ) {
      const { body, headers } = await client.get(url)
      seen.push(...body.map(({ id }: { id: string }) => id))
      url = /<([^>]+)>/.exec(String(headers.link ?? ''))?.[1]
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBe(await test.db.$count(accounts))
  })

  it('approves, disables, enables and signs people out, each in the audit log', async () => {
    const mine = await manager()
    const ada = await person()
    await test.db.update(accounts).set({ pendingSince: new Date() }).where(eq(accounts.id, ada.id))
    expect((await act(mine, ada, 'approve')).status).toBe(200)
    await act(mine, ada, 'end-sessions')
    expect(await isSignedIn(ada.client)).toBe(false)
    await ada.client.post('/api/auth/login', { email: ada.email, password: PASSWORD })
    expect(await isSignedIn(ada.client)).toBe(true)
    await act(mine, ada, 'disable')
    expect(await isSignedIn(ada.client)).toBe(false)
    expect((await act(mine, ada, 'enable')).status).toBe(200)
    for (const name of ['approve', 'end-sessions', 'disable', 'enable'])
      expect(await entryOf(`account-${name}`, ada.id)).toMatchObject({
        accountId: mine.id,
        detail: { email: ada.email },
      })
  })

  it('resets a password where no mail is set up by a link that is shown once', async () => {
    const mine = await manager()
    const ada = await person()
    const { status, body } = await act(mine, ada, 'reset-password')
    expect([status, Object.keys(body)]).toEqual([200, ['link', 'expiresAt']])
    expect(await isSignedIn(ada.client)).toBe(false)
    expect((await ada.client.post('/api/auth/login', { email: ada.email, password: PASSWORD })).status).toBe(401)
    const token = body.link.split('token=')[1]
    const choose = () => test.visitor().post('/api/auth/reset/confirm', { token, password: 'an entirely new one' })
    expect((await choose()).status).toBe(204)
    expect((await choose()).status).toBe(400)
  })

  it('makes managers, and fellows again, whose open invitations end', async () => {
    const mine = await manager()
    const ada = await person()
    await act(mine, ada, 'make-manager')
    const made = await ada.client.post('/api/programme/invitations', {})
    expect(made.status).toBe(201)
    await act(mine, ada, 'demote')
    expect((await ada.client.get('/api/programme/people')).status).toBe(403)
    expect(await test.db.$count(invitations, eq(invitations.id, made.body[0].id))).toBe(0)
  })

  it('is refused the password, the second factor of another manager', async () => {
    const [one, other] = await managers()
    for (const name of ['reset-password', 'reset-two-factor']) expect((await act(one, other, name)).status).toBe(403)
    expect(await isSignedIn(other.client)).toBe(true)
  })

  it('is asked for a password or a code 15 minutes after the last one, before roles and resets', async () => {
    const mine = await manager()
    const ada = await person()
    await letConfirmationExpire(mine)
    for (const name of ['make-manager', 'demote', 'reset-password', 'reset-two-factor'])
      expect((await act(mine, ada, name)).body).toMatchObject({ code: 'confirm' })
    expect((await act(mine, ada, 'end-sessions')).status).toBe(200)
    const wrong = await mine.client.post('/api/account/confirm', { password: 'not the password' })
    expect([wrong.status, wrong.body.fields]).toEqual([400, { password: 'This is not your password' }])
    expect((await act(mine, ada, 'make-manager')).body.code).toBe('confirm')
    expect((await mine.client.post('/api/account/confirm', { password: PASSWORD })).status).toBe(204)
    expect((await act(mine, ada, 'make-manager')).status).toBe(200)
  })

  it('gets 404 for a person who is not there', async () => {
    const mine = await manager()
    const unknown = { publicId: '01900000-0000-7000-8000-000000000001' }
    expect((await act(mine, unknown, 'disable')).status).toBe(404)
    expect((await act(mine, { publicId: mine.id }, 'disable')).status).toBe(404)
  })

  it('lets other spellings of a disabled address sign up', async () => {
    const mine = await manager()
    const ada = await person()
    const email = ada.email.replace('@', '+2@')
    expect((await mine.client.post('/api/programme/allow', { email })).status).toBe(400)
    await act(mine, ada, 'disable')
    expect((await mine.client.post('/api/programme/allow', { email })).status).toBe(204)
    expect((await test.visitor().post('/api/auth/register', { email, name: 'Ada', password: PASSWORD })).status).toBe(
      201,
    )
  })
})

describe('An invitation', () => {
  it('has an outcome for each address, and a link where nothing was mailed', async () => {
    const mine = await manager()
    const emails = ['new@mit.edu', 'not an address', 'someone@example.org', mine.email]
    const { status, body } = await mine.client.post('/api/programme/invitations', { emails })
    expect(status).toBe(201)
    expect(body.map(({ email }: { email: string }) => email)).toEqual(emails)
    expect(body.map(({ error }: { error?: string }) => error)).toEqual([
      undefined,
      expect.stringContaining('email'),
      expect.stringContaining('to join'),
      'An account with this email address already exists',
    ])
    const invitation = body[0].link.split('invitation=')[1]
    const applicant = { email: 'new@mit.edu', name: 'New', password: PASSWORD, invitation }
    const listed = await mine.client.get('/api/programme/invitations')
    expect(listed.body).toContainEqual(expect.objectContaining({ id: body[0].id, email: 'new@mit.edu', by: mine.name }))
    expect(listed.text).not.toContain(invitation)
    expect((await test.visitor().post('/api/auth/register', applicant)).status).toBe(201)
    const left = (await mine.client.get('/api/programme/invitations')).body
    expect(left.filter(({ id }: { id: string }) => id === body[0].id)).toEqual([])
  })

  it('is withdrawn', async () => {
    const mine = await manager()
    const [made] = (await mine.client.post('/api/programme/invitations', {})).body
    expect((await mine.client.delete(`/api/programme/invitations/${made.id}`)).status).toBe(204)
    expect((await mine.client.delete(`/api/programme/invitations/${made.id}`)).status).toBe(404)
  })

  it('replaces the one before to the same address in any case, whose link ends, by any manager', async () => {
    const [mine, other] = await managers()
    const invite = async ({ client }: Person, email: string) =>
      (await client.post('/api/programme/invitations', { emails: [email] })).body[0]
    const first = await invite(mine, 'Han@mit.edu')
    const second = await invite(other, 'han@MIT.edu')
    const { body } = await mine.client.get('/api/programme/invitations')
    expect(body.filter(({ email }: { email: string }) => email === 'han@mit.edu')).toMatchObject([{ id: second.id }])
    expect(await entryOf('account-uninvite', first.id)).toMatchObject({ accountId: other.id })
    const register = ({ link }: { link: string }) =>
      findInvitation(test.db, 'han@mit.edu', link.split('invitation=')[1])
    expect([await register(first), await register(second)]).toEqual([undefined, { id: second.id }])
  })

  it('is made once for an address that is in the list twice, or twice at once', async () => {
    const mine = await manager()
    const emails = ['Kim@mit.edu', ' kim@mit.edu']
    const { body } = await mine.client.post('/api/programme/invitations', { emails })
    expect(body).toMatchObject([{ link: expect.any(String) }, { error: 'This address is in the list twice' }])
    await Promise.all(emails.map((email) => mine.client.post('/api/programme/invitations', { emails: [email] })))
    expect(await test.db.$count(invitations, eq(invitations.email, 'kim@mit.edu'))).toBe(1)
  })

  it('is one of 300 a day and manager; then it is 429 with Retry-After, and none is made', {
    tags: 'slow',
  }, async () => {
    const [mine, other] = await managers()
    const invite = ({ client }: Person, count: number, from: number) =>
      client.post('/api/programme/invitations', {
        emails: Array.from({ length: count }, (_, at) => `new-${from + at}@mit.edu`),
      })
    for (const from of [0, 100, 200]) expect((await invite(mine, from === 200 ? 99 : 100, from)).status).toBe(201)
    const made = await test.db.$count(invitations)
    const refused = await invite(mine, 2, 300)
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, expect.closeTo(86_400, -3)])
    expect(await test.db.$count(invitations)).toBe(made)
    expect((await mine.client.post('/api/programme/invitations', {})).status).toBe(201)
    expect((await mine.client.post('/api/programme/invitations', {})).status).toBe(429)
    expect((await invite(other, 2, 300)).status).toBe(201)
    await test.db.update(attempts).set({ forgetAt: new Date() })
    expect((await invite(mine, 2, 302)).status).toBe(201)
  })

  it('is refused for more than 100 addresses at a time', async () => {
    const { client } = await manager()
    const emails = Array.from({ length: 101 }, (_, at) => `fellow${at}@mit.edu`)
    expect((await client.post('/api/programme/invitations', { emails })).status).toBe(400)
  })
})

describe('The last manager', () => {
  it('cannot be demoted or disabled, also when two demote each other at once', async () => {
    await test.db.update(accounts).set({ role: 'fellow' })
    const [one, other] = await managers()
    const both = await Promise.all([act(one, other, 'demote'), act(other, one, 'demote')])
    expect(both.map(({ status }) => status).sort()).not.toEqual([200, 200])
    const left = (await roleOf(one)) === 'manager' ? one : other
    expect(await roleOf(left)).toBe('manager')
    for (const name of ['demote', 'disable']) {
      const { status, body } = await act(left, left, name)
      expect([status, body.error]).toEqual([409, 'This is the last manager. Make another person a manager first.'])
    }
    expect(await roleOf(left)).toBe('manager')
  })
})

describe('Who may sign up', () => {
  const start = async (environment: Record<string, string> = {}) => {
    const open = await startTestApp(environment)
    const account = await makeAccount(open.db, { role: 'manager' })
    const client = open.visitor()
    await client.post('/api/auth/login', { email: account.email, password: PASSWORD })
    const register = (email: string, app = open) =>
      app.visitor().post('/api/auth/register', { email, name: 'Ada', password: PASSWORD })
    return { open, account, client, register }
  }

  it('is decided by managers, for the next sign-up on every server, and is in the audit log', {
    tags: 'slow',
  }, async () => {
    const { open, account, client, register } = await start()
    expect((await client.get('/api/programme/sign-up')).body).toEqual({ mode: 'open', domains: [], fixed: [] })
    const other = await open.startAgain()
    const choice = { mode: 'approval', domains: ['mit.edu', 'cs.cmu.edu'] }
    expect((await client.put('/api/programme/sign-up', choice)).body).toEqual({ ...choice, fixed: [] })
    expect((await register('one@mit.edu')).body).toMatchObject({ action: 'approval_pending' })
    expect((await register('one@yale.edu')).status).toBe(403)
    const token = { cookie: '', status: 0 }
    const me = await other.inject({ method: 'GET', url: '/api/auth/me' })
    token.cookie = me.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
    const asked = await other.inject({
      method: 'POST',
      url: '/api/auth/check-user',
      headers: {
        cookie: token.cookie,
        'x-xsrf-token': me.cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '',
      },
      payload: { email: 'two@yale.edu' },
    })
    expect(asked.statusCode).toBe(403)
    const page = await open.visitor().get('/auth', { headers: { accept: 'text/html' } })
    expect(page.text).toContain('content="mit.edu cs.cmu.edu"')
    const [entry] = await open.db.select().from(auditLog).where(eq(auditLog.action, 'sign-up'))
    expect(entry).toMatchObject({ accountId: account.id, before: { mode: 'open', domains: [] }, after: choice })
    await other.close()
    await open.close()
  })

  it('cannot be changed where the environment sets it', { tags: 'slow' }, async () => {
    const { open, client, register } = await start({ SIGN_UP: 'invited', JOIN_DOMAINS: 'mit.edu' })
    const fixed = { mode: 'invited', domains: ['mit.edu'], fixed: ['mode', 'domains'] }
    expect((await client.get('/api/programme/sign-up')).body).toEqual(fixed)
    const put = await client.put('/api/programme/sign-up', { mode: 'open', domains: ['mit.edu'] })
    expect(put.status).toBe(409)
    expect((await register('one@mit.edu')).status).toBe(403)
    await open.close()
  })

  it.each([
    [{ mode: 'closed', domains: [] }, 'mode'],
    [{ mode: 'open', domains: ['example.com'] }, 'domains'],
    [{ mode: 'open', domains: ['xn--a.edu'] }, 'domains'],
    [{ mode: 'open', domains: Array.from({ length: 101 }, (_, at) => `a${at}.edu`) }, 'domains'],
    [{ mode: 'open' }, 'domains'],
  ])('is refused as %j', async (body, field) => {
    const mine = await manager()
    const answer = await mine.client.put('/api/programme/sign-up', body)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.fields).some((name) => name.startsWith(field))).toBe(true)
  })
})
