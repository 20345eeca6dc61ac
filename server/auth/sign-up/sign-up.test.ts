import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allow, approve, disable, enable, invite } from '#server/auth/account-admin.ts'
import { openIssuer, type TestIssuer } from '#server/auth/sso/test/open-issuer.ts'
import { findAccount, type KnownAccount } from '#server/auth/store.ts'
import { auditLog, invitations } from '#server/db/schema.ts'
import { readSettings } from '#server/ops/settings.ts'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { openMailServer, tokenIn } from '#server/test/mail-server.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let issuer: TestIssuer
let open: TestApp
beforeAll(async () => {
  issuer = await openIssuer()
  const limited = { JOIN_DOMAINS: 'mit.edu, cs.foo.edu', TEAM_DOMAIN: 'team.example' }
  open = await startTestApp({ ...issuer.settings, ...limited })
})
afterAll(async () => {
  await open.close()
  await issuer.close()
})

let number = 0
const fresh = () => `newcomer${++number}@mit.edu`

type Body = Record<string, unknown>
const check = (test: TestApp, body: Body) => test.visitor().post('/api/auth/check-user', body)
const signUp = (test: TestApp, body: Body, way = 'register', client = test.visitor()) =>
  client.post(`/api/auth/${way}`, { password: PASSWORD, name: 'Ada', ...body })
const login = (test: TestApp, email: string, client = test.visitor()) =>
  client.post('/api/auth/login', { email, password: PASSWORD })

/** Goes through single sign-on with this address, and returns the final address. */
async function signOn(test: TestApp, email: string, client: TestClient = test.visitor()) {
  issuer.says({ sub: `subject of ${email}`, email, email_verified: true, name: 'Ada' })
  const begun = await client.get('/api/auth/sso/oidc')
  const back = await issuer.visit(String(begun.headers.location))
  const answer = await client.get(back.slice(new URL(back).origin.length))
  return { leadTo: answer.headers.location, client }
}

const known = async (test: TestApp, email: string) => (await findAccount(test.db, email)) as KnownAccount
const settings = readSettings({ SIGN_UP: 'invited' })

/** Tries every way to sign up with this address, and returns the responses. */
async function everyWayIn(test: TestApp, body: { email: string; invitation?: string }) {
  const answers = [
    await check(test, body),
    await signUp(test, body),
    await signUp(test, body, 'smart-auth'),
    await signUp(test, { ...body, name: undefined }, 'smart-auth'),
  ]
  return answers.map(({ status, body: { error } }) => [status, error])
}

const four = <Value>(value: Value) => [value, value, value, value]

describe('A disabled fellow', () => {
  const DISABLED = 'An account with another spelling of this address is disabled. Ask an administrator.'

  const disabledFellow = async (email: string) => {
    await makeAccount(open.db, { email })
    await disable(open.db, await known(open, email), 'operator')
  }

  it.each([
    ['a tag', 'tagged', (local: string) => `${local}+2`],
    ['a dot', 'dotted', (local: string) => `${local[0]}.${local.slice(1)}`],
    ['another case', 'cased', (local: string) => `${local.toUpperCase()}+X`],
    ['another tag and dots', 'mixed.up+first', () => 'm.ixedup+second'],
  ])('does not sign up again with %s in the address, by any call', async (_what, local, respell) => {
    await disabledFellow(`${local}@mit.edu`)
    const email = `${respell(local)}@mit.edu`
    expect(await everyWayIn(open, { email })).toEqual(four([403, DISABLED]))
    expect((await signOn(open, email)).leadTo).toBe('/auth?error=address_disabled')
    expect(await findAccount(open.db, email)).toBeUndefined()
  })

  it('is refused with an invitation too', async () => {
    await disabledFellow('bidden@mit.edu')
    const { token: invitation } = await invite(open.db, settings, 'operator')
    expect(await everyWayIn(open, { email: 'bidden+2@mit.edu', invitation })).toEqual(four([403, DISABLED]))
    await expect(invite(open.db, settings, 'operator', 'bidden+2@mit.edu')).rejects.toThrow(DISABLED)
  })

  it('does not block an address that only looks similar', async () => {
    await disabledFellow('alike@mit.edu')
    for (const email of ['alike2@mit.edu', 'alike@cs.mit.edu']) {
      expect((await signUp(open, { email })).status).toBe(201)
    }
  })

  it('signs up again once the operator has allowed it, until disabled again', async () => {
    await disabledFellow('pardoned@mit.edu')
    expect(await allow(open.db, 'pardoned+2@mit.edu', 'operator')).toEqual(['pardoned@mit.edu'])
    expect((await signUp(open, { email: 'pardoned+2@mit.edu' })).status).toBe(201)
    await disable(open.db, await known(open, 'pardoned+2@mit.edu'), 'operator')
    expect((await signUp(open, { email: 'pardoned+3@mit.edu' })).status).toBe(403)
  })

  it('may not sign up again after being enabled and disabled once more', async () => {
    await disabledFellow('twice@mit.edu')
    await allow(open.db, 'twice@mit.edu', 'operator')
    await enable(open.db, await known(open, 'twice@mit.edu'), 'operator')
    await disable(open.db, await known(open, 'twice@mit.edu'), 'operator')
    expect((await signUp(open, { email: 't.wice@mit.edu' })).status).toBe(403)
  })

  it('is found by an index', async () => {
    await open.db.execute('analyze accounts')
    const plan = await open.db.transaction(async (tx) => {
      await tx.execute('set local enable_seqscan = off')
      return tx.execute(
        `explain select 1 from accounts where plain_address(email) = plain_address('a@mit.edu') and disabled_at is not null`,
      )
    })
    expect(JSON.stringify(plan)).toContain('accounts_disabled')
  })
})

describe('Where JOIN_DOMAINS names domains', () => {
  const SENTENCE = 'Use an address at mit.edu, cs.foo.edu or team.example to join'

  it('other .edu addresses are refused by every call, with a sentence that names the domains', async () => {
    const email = 'ada@foo.edu'
    expect(await everyWayIn(open, { email })).toEqual(four([403, SENTENCE]))
    expect((await signOn(open, email)).leadTo).toBe('/auth?error=not_allowed')
    expect(await findAccount(open.db, email)).toBeUndefined()
  })

  it('an invitation does not widen them', async () => {
    const { token: invitation } = await invite(open.db, settings, 'operator')
    expect(await everyWayIn(open, { email: 'ada@foo.edu', invitation })).toEqual(four([403, SENTENCE]))
  })

  it('subdomains and the team may join', async () => {
    for (const email of ['ada@ai.cs.foo.edu', 'ada@team.example']) {
      expect((await signUp(open, { email })).status).toBe(201)
    }
  })

  it('an existing account can still sign in, with a password or single sign-on', async () => {
    const { email } = await makeAccount(open.db, { email: 'before@old.edu', emailVerified: true })
    expect((await login(open, email)).status).toBe(200)
    expect((await signOn(open, email)).leadTo).toBe('/')
  })
})

describe('Where sign-ups are approved', () => {
  let approval: TestApp
  beforeAll(async () => {
    approval = await startTestApp({ ...issuer.settings, SIGN_UP: 'approval' })
  })
  afterAll(() => approval.close())

  const PENDING = 'Your account is waiting for approval. You can sign in once it is approved.'

  it.each([
    ['register', 201],
    ['smart-auth', 200],
  ])('%s creates an account and opens no session', async (way, status) => {
    const email = fresh()
    const client = approval.visitor()
    expect(await signUp(approval, { email }, way, client)).toMatchObject({
      status,
      body: { action: 'approval_pending', user: { name: 'Ada', email } },
    })
    expect(client.cookies.has('session')).toBe(false)
    expect((await client.get('/api/auth/me')).status).toBe(401)
  })

  it('before approval, a right password is 403 with its code, a wrong one the usual 401', {
    tags: 'slow',
  }, async () => {
    const email = fresh()
    await signUp(approval, { email })
    for (const way of ['login', 'smart-auth']) {
      const client = approval.visitor()
      expect(await client.post(`/api/auth/${way}`, { email, password: PASSWORD })).toMatchObject({
        status: 403,
        body: { error: PENDING, code: 'approval_pending' },
      })
      expect(client.cookies.has('session')).toBe(false)
      expect((await client.post(`/api/auth/${way}`, { email, password: 'not the password' })).status).toBe(401)
    }
    await approve(approval.db, await known(approval, email), 'operator')
    expect((await login(approval, email)).status).toBe(200)
  })

  it('an account created by single sign-on waits too', async () => {
    const email = fresh()
    for (let visit = 0; visit < 2; visit += 1) {
      const { leadTo, client } = await signOn(approval, email)
      expect(leadTo).toBe('/auth?error=approval_pending')
      expect(client.cookies.has('session')).toBe(false)
    }
    await approve(approval.db, await known(approval, email), 'operator')
    expect((await signOn(approval, email)).leadTo).toBe('/')
  })

  it('the code of a second factor is requested only after approval', async () => {
    const email = fresh()
    await signUp(approval, { email })
    const { id } = await known(approval, email)
    await approval.db.execute(`insert into two_factors (account_id, secret, confirmed_at) values ('${id}', 'x', now())`)
    expect((await login(approval, email)).body).toMatchObject({ code: 'approval_pending' })
  })

  it('accounts from before the setting need no approval', async () => {
    const { email } = await makeAccount(approval.db)
    expect((await login(approval, email)).status).toBe(200)
  })

  it('an invitation replaces approval', async () => {
    const email = fresh()
    const client = approval.visitor()
    const answer = await signUp(
      approval,
      { email, invitation: (await invite(approval.db, settings, 'operator')).token },
      'register',
      client,
    )
    expect(answer).toMatchObject({ status: 201, body: { user: { email } } })
    expect((await client.get('/api/auth/me')).status).toBe(200)
  })

  it('with mail, the address is verified first', { tags: 'slow' }, async () => {
    const mails = await openMailServer()
    const test = await startTestApp({ SMTP_URL: mails.url, SIGN_UP: 'approval' })
    const email = fresh()
    const client = test.visitor()
    expect((await signUp(test, { email }, 'register', client)).body).toMatchObject({ action: 'verify_email' })
    expect((await login(test, email, client)).body).toMatchObject({ action: 'verify_email' })
    await client.post('/api/auth/verify', { token: tokenIn(await mails.next(email)) })
    expect((await login(test, email, client)).body).toMatchObject({ code: 'approval_pending' })
    await approve(test.db, await known(test, email), 'operator')
    expect((await login(test, email, client)).status).toBe(200)
    await test.close()
    await mails.close()
  })
})

describe('Where sign-ups are by invitation', () => {
  let invited: TestApp
  beforeAll(async () => {
    invited = await startTestApp({ ...issuer.settings, SIGN_UP: 'invited' })
  })
  afterAll(() => invited.close())

  const REQUIRED = 'Signing up is by invitation only. Ask your programme for an invitation.'
  const REFUSED =
    'This invitation has been used, has expired or is for another address. Ask your programme for a new one.'

  it('every call refuses a newcomer without one', async () => {
    const email = fresh()
    expect(await everyWayIn(invited, { email })).toEqual(four([403, REQUIRED]))
    expect((await signOn(invited, email)).leadTo).toBe('/auth?error=invitation_required')
    expect(await findAccount(invited.db, email)).toBeUndefined()
  })

  it('an existing account signs in', async () => {
    const { email } = await makeAccount(invited.db, { emailVerified: true })
    expect((await check(invited, { email })).body).toEqual({ exists: true, action: 'login' })
    expect((await login(invited, email)).status).toBe(200)
    expect((await signOn(invited, email)).leadTo).toBe('/')
  })

  it.each(['register', 'smart-auth'])('%s signs up once with an invitation', async (way) => {
    const email = fresh()
    const { token: invitation } = await invite(invited.db, settings, 'operator')
    expect((await check(invited, { email, invitation })).body).toEqual({ exists: false, action: 'signup' })
    const client = invited.visitor()
    expect((await signUp(invited, { email, invitation }, way, client)).body.user).toEqual({ name: 'Ada', email })
    expect((await client.get('/api/auth/me')).status).toBe(200)
    expect(await everyWayIn(invited, { email: fresh(), invitation })).toEqual(four([403, REFUSED]))
  })

  it('an invitation for an address works for that address in any case', async () => {
    const email = fresh()
    const { token: invitation } = await invite(invited.db, settings, 'operator', email.toUpperCase())
    expect(await everyWayIn(invited, { email: fresh(), invitation })).toEqual(four([403, REFUSED]))
    expect((await signUp(invited, { email, invitation })).status).toBe(201)
  })

  it('an invitation expires after 14 days', async () => {
    const email = fresh()
    const { token: invitation } = await invite(invited.db, settings, 'operator', email)
    const [row] = await invited.db.select().from(invitations).where(eq(invitations.email, email))
    const days = ((row?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(13.9)
    expect(days).toBeLessThanOrEqual(14)
    await invited.db.update(invitations).set({ expiresAt: new Date() }).where(eq(invitations.email, email))
    expect(await everyWayIn(invited, { email, invitation })).toEqual(four([403, REFUSED]))
  })

  it('a refused sign-up does not use an invitation up', async () => {
    const { token: invitation } = await invite(invited.db, settings, 'operator')
    const { email: taken } = await makeAccount(invited.db)
    expect((await signUp(invited, { email: taken, invitation })).status).toBe(409)
    expect((await signUp(invited, { email: 'ada@evil.com', invitation })).status).toBe(403)
    expect((await signUp(invited, { email: fresh(), invitation, password: '123456' })).status).toBe(400)
    expect((await signUp(invited, { email: fresh(), invitation })).status).toBe(201)
  })

  it('an invitation is stored as a hash, and the audit log names the invitation of an account', async () => {
    const email = fresh()
    const { token: invitation } = await invite(invited.db, settings, 'operator', email)
    const [row] = await invited.db.select().from(invitations).where(eq(invitations.email, email))
    expect(JSON.stringify(row)).not.toContain(invitation)
    await signUp(invited, { email, invitation })
    const rows = await invited.db.select().from(auditLog).where(eq(auditLog.accountEmail, email))
    expect(rows.find(({ action }) => action === 'register')?.detail).toEqual({ invitation: row?.id })
    expect(await invited.db.select().from(invitations).where(eq(invitations.email, email))).toEqual([])
  })

  it.each(['a b', '\0', 'x'.repeat(201), 5, ''])('is 400 with %j in the link', async (invitation) => {
    for (const answer of [
      await check(invited, { email: fresh(), invitation }),
      await signUp(invited, { email: fresh(), invitation }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { fields: { invitation: 'This link is incomplete' } } })
    }
  })
})
