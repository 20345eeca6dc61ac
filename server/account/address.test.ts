import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { accounts, auditLog, credentials, oneTimeTokens, records, sessions } from '#server/db/schema.ts'
import { makeFounder, PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { type MailServer, openMailServer, tokenIn } from '#server/test/mail-server.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let post: MailServer
let test: TestApp
beforeAll(async () => {
  post = await openMailServer()
  test = await startTestApp({ SMTP_URL: post.url, THROTTLE_MAIL_IP: '1000', PUBLIC_URL: 'http://sourcebook.test' })
})
afterAll(async () => {
  await test.close()
  await post.close()
})

const PATH = '/api/account/address'
const CONFIRM = `${PATH}/confirm`

let number = 0
const fresh = () => `graduate${++number}@alumni.edu`
const fellow = () => fellowOf(test, { emailVerified: true })
const emailOf = async (client: TestClient) => (await client.get('/api/auth/me')).body.user?.email

/** Asks for another address, and returns the token of its link. */
async function ask({ client }: { client: TestClient }, email = fresh()) {
  expect((await client.post(PATH, { email })).status).toBe(204)
  const mail = await post.next(email.toLowerCase())
  return { email, mail, token: tokenIn(mail) }
}

describe('Another address for one’s account', () => {
  it('is proven by a link to it: the account keeps the old one until a click, and the old one gets notices', {
    tags: 'slow',
  }, async () => {
    const ann = await fellow()
    const { email, mail, token } = await ask(ann, 'Ann.Graduate@Alumni.edu')
    expect(mail.text).toMatch(/^http:\/\/sourcebook\.test\/auth\/address#token=[\w-]{43}\r?$/m)
    expect(mail.text).not.toContain(ann.account.name)
    expect((await post.next(ann.account.email)).text).toContain('ann.graduate@alumni.edu')
    await ann.client.get('/auth/address')
    expect(await emailOf(ann.client)).toBe(ann.account.email)
    const user = { name: ann.account.name, email: email.toLowerCase() }
    expect(await ann.client.post(CONFIRM, { token })).toMatchObject({ status: 200, body: { user } })
    expect(await emailOf(ann.client)).toBe(user.email)
    expect((await post.next(ann.account.email, 1)).subject).toBe('Your Sourcebook account has another address')
    expect((await ann.client.post(CONFIRM, { token })).status).toBe(400)
    const login = (email: string) => test.visitor().post('/api/auth/login', { email, password: PASSWORD })
    expect([(await login(ann.account.email)).status, (await login(email)).status]).toEqual([401, 200])
    const [entry] = await test.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.action, 'account-address'), eq(auditLog.objectId, ann.account.id)))
    expect(entry).toMatchObject({
      ...{ accountId: ann.account.id, before: { email: ann.account.email }, after: { email: user.email } },
    })
  })

  it('ends every other session, all links and single sign-on by the old address, and keeps the password', async () => {
    const ann = await fellow()
    const other = test.visitor()
    await other.post('/api/auth/login', { email: ann.account.email, password: PASSWORD })
    const way = { provider: 'oidc', providerAccount: `issuer ${ann.account.id}`, accountId: ann.account.id }
    await test.db.insert(credentials).values({ id: ann.account.id, ...way })
    const { token } = await ask(ann)
    await test.db.insert(oneTimeTokens).values({
      ...{
        hash: ann.account.id,
        purpose: 'reset',
        accountId: ann.account.id,
        expiresAt: new Date(Date.now() + 60_000),
      },
    })
    expect((await ann.client.post(CONFIRM, { token })).status).toBe(200)
    expect((await other.get('/api/auth/me')).status).toBe(401)
    expect(await test.db.$count(sessions, eq(sessions.accountId, ann.account.id))).toBe(1)
    expect(await test.db.$count(oneTimeTokens, eq(oneTimeTokens.accountId, ann.account.id))).toBe(0)
    const ways = await test.db.select().from(credentials).where(eq(credentials.accountId, ann.account.id))
    expect(ways.map(({ provider }) => provider)).toEqual(['credential'])
  })

  it('is moved only in a browser that is signed in to the account, so that no one confirms it for a stranger', async () => {
    const [stranger, victim] = [await fellow(), await fellow()]
    const { email, token } = await ask(stranger)
    expect((await test.visitor().post(CONFIRM, { token })).status).toBe(401)
    const refused = await victim.client.post(CONFIRM, { token })
    expect([refused.status, refused.body.error]).toEqual([
      403,
      'This link is for another account. Sign in to the account that asked for it, then open it again.',
    ])
    for (const path of ['/api/auth/verify', '/api/auth/reset/confirm'])
      expect((await test.visitor().post(path, { token, password: 'an entirely new one' })).status).toBe(400)
    expect([await emailOf(victim.client), await emailOf(stranger.client)]).toEqual([
      victim.account.email,
      stranger.account.email,
    ])
    expect((await stranger.client.post(CONFIRM, { token })).body.user.email).toBe(email)
  })

  it('that is taken gets the same answer and the same notice, and only its owner reads that it has an account', async () => {
    const [ann, bob] = [await fellow(), await fellow()]
    const taken = await ann.client.post(PATH, { email: bob.account.email })
    const free = await ann.client.post(PATH, { email: fresh() })
    expect([taken.status, taken.text]).toEqual([free.status, free.text])
    const mail = await post.next(bob.account.email)
    expect(mail.subject).toBe('This address has a Sourcebook account')
    expect(mail.text).not.toMatch(/#token=/)
    expect(mail.text).not.toContain(ann.account.email)
    expect((await post.next(ann.account.email)).text).toContain(bob.account.email)
  })

  it('that got an account since the link was sent is refused, and the account keeps its own', async () => {
    const ann = await fellow()
    const { email, token } = await ask(ann)
    await fellowOf(test, { email })
    expect((await ann.client.post(CONFIRM, { token })).status).toBe(409)
    expect(await emailOf(ann.client)).toBe(ann.account.email)
  })

  it('is refused where it may not join, is the same, or is another spelling of a disabled one', async () => {
    const [ann, gone] = [await fellow(), await fellow()]
    await test.db.update(accounts).set({ disabledAt: new Date() }).where(eq(accounts.id, gone.account.id))
    const statusOf = async (email: string) => (await ann.client.post(PATH, { email })).status
    expect(await statusOf('ann@elsewhere.org')).toBe(403)
    expect(await statusOf(gone.account.email.replace('@', '+2@'))).toBe(403)
    expect(await statusOf(ann.account.email.toUpperCase())).toBe(400)
    expect(await statusOf('no address')).toBe(400)
  })

  it('asks for the password 15 minutes after the last time, and only its newest link works', async () => {
    const ann = await fellow()
    await test.db
      .update(sessions)
      .set({ confirmedAt: sql`now() - interval '16 minutes'` })
      .where(eq(sessions.accountId, ann.account.id))
    expect((await ann.client.post(PATH, { email: fresh() })).body.code).toBe('confirm')
    await ann.client.post('/api/account/confirm', { password: PASSWORD })
    const first = await ask(ann)
    const second = await ask(ann)
    expect((await ann.client.post(CONFIRM, { token: first.token })).status).toBe(400)
    await ann.client.post('/api/account/password', { currentPassword: PASSWORD, newPassword: 'an entirely new one' })
    expect((await ann.client.post(CONFIRM, { token: second.token })).status).toBe(400)
  })

  it('keeps the records that were imported under the old address, and gets those of the new one', async () => {
    const ann = await fellow()
    const email = fresh()
    const imported = async (text: string) => {
      const { id } = await makeFounder(test.db)
      await test.db.update(records).set({ creatorId: null, creatorText: text }).where(eq(records.id, id))
      await test.db.execute(sql`select rebuild_record(${id})`)
      return id
    }
    const ids = [await imported(ann.account.email), await imported(email)]
    await ann.client.post(CONFIRM, { token: (await ask(ann, email)).token })
    const derived = () => rowsOf(test.db, sql`select t::text from record_members t order by 1`)
    const counted = () => rowsOf(test.db, sql`select t::text from counters t where added <> 0 or mine <> 0 order by 1`)
    const before = [await derived(), await counted()]
    for (const id of ids) expect((await ann.client.get(`/api/founders/${id}`)).body.can.delete).toBe(true)
    await test.db.execute(sql`select rebuild_derived()`)
    expect([await derived(), await counted()]).toEqual(before)
  })

  it('is throttled like other mails, by the new and by the old address', { tags: 'slow' }, async () => {
    const ann = await fellow()
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) statuses.push((await ann.client.post(PATH, { email: fresh() })).status)
    expect(statuses.slice(0, 3)).toEqual([204, 204, 204])
    expect(statuses.at(-1)).toBe(429)
    const other = await fellow()
    expect((await other.client.post(PATH, { email: fresh() })).status).toBe(204)
  })
})

describe('Without mail', () => {
  it('an address is not moved by its owner, who reads whom to ask', { tags: 'slow' }, async () => {
    const open = await startTestApp()
    const { client } = await fellowOf(open)
    const { status, body } = await client.post(PATH, { email: fresh() })
    expect([status, body.error]).toEqual([403, 'Email is not set up. Ask a manager to change your address.'])
    await open.close()
  })
})
