import { and, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '#server/auth/sessions/session.ts'
import { openIssuer, type TestIssuer } from '#server/auth/sso/test/open-issuer.ts'
import { accounts, credentials, sessions } from '#server/db/schema.ts'
import { BODY, type Call, everyCall, isChange } from '#server/test/calls.ts'
import { makeAccount } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { type MailServer, openMailServer } from '#server/test/mail-server.ts'
import { type Answered, startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

// No act of a manager, and no two in a row, gives the manager the session of another person. Every act is in the product's own
// description, so future ones are tried too. `npm run test:long -- measured` tries all pairs. Here: after
// each act some others, and of the pairs that open a way in every second one, which the next test does in turn.

const MINE = 'the password of the manager'

let mails: MailServer
let issuer: TestIssuer
beforeAll(async () => {
  mails = await openMailServer()
  issuer = await openIssuer()
})
afterAll(async () => {
  await issuer.close()
  await mails.close()
})

/** The acts of managers on people, and the calls on accounts, of which the manager may make any. */
const isOfPeople = ({ path }: Call) =>
  /^\/api\/(programme\/(people|invitations|allow|sign-up)|account|auth)\b/.test(path)

type World = { test: TestApp; client: TestClient; account: Account; calls: Call[] }
type Victim = { id: string; publicId: string; email: string; hash: string }

async function makeWorld(environment: Record<string, string>): Promise<World> {
  const test = await startTestApp({
    ...{ THROTTLE_MAIL_IP: '100000', THROTTLE_MAIL: '1000', THROTTLE_SIGN_UP: '100000', THROTTLE_CHECK_USER: '100000' },
    ...{ THROTTLE_IP_FAILURES: '1000000', ...environment },
  })
  const manager = { role: 'manager', emailVerified: true, email: 'manager@mit.edu' } as const
  const { client, account } = await fellowOf(test, manager)
  await makeAccount(test.db, { role: 'manager' })
  const calls = (await everyCall(client)).filter((call) => isOfPeople(call) && isChange(call))
  return { test, client, account, calls }
}

async function makeVictim({ test }: World, emailVerified: boolean, role: 'fellow' | 'manager'): Promise<Victim> {
  const { id, email } = await makeAccount(test.db, { emailVerified, role })
  const [row] = await test.db.select({ publicId: accounts.publicId }).from(accounts).where(eq(accounts.id, id))
  return { id, email, publicId: row?.publicId ?? '', hash: (await passwordOf(test, id)) ?? '' }
}

const passwordOf = async ({ db }: TestApp, id: string) =>
  (
    await db
      .select({ hash: credentials.password })
      .from(credentials)
      .where(and(eq(credentials.accountId, id), eq(credentials.provider, 'credential')))
  )[0]?.hash

let number = 0
/** Everything that a call may read, about the victim, with addresses that the manager controls. */
function bodyFor(victim: Victim) {
  number += 1
  const mine = `mine${number}@mit.edu`
  return {
    mine,
    body: {
      ...BODY,
      ...{ name: 'Renamed', email: mine, emails: [mine, victim.email], ids: [victim.publicId] },
      ...{ password: MINE, currentPassword: MINE, newPassword: MINE, until: new Date().toISOString() },
    },
  }
}

/** The manager stays who they are: these would end or change the manager's own session. */
const OWN_END = ['POST /api/auth/logout', 'DELETE /api/account/sessions', 'DELETE /api/account/sessions/{id}']

/** The manager makes a call about the victim. Returns what it answered. */
async function make({ client }: World, call: Call, victim: Victim, body: object): Promise<Answered> {
  const url = call.path.replace(/\{\w+\}/, victim.publicId)
  return client.call(call.method, url, call.method === 'DELETE' ? {} : { body })
}

/** Tries each secret that the manager has read, in answers and in mails to addresses of their own, as every token. */
async function tryEverything({ test }: World, victim: Victim, texts: string[], mine: string[]): Promise<void> {
  const read = [...texts, ...mine.flatMap((address) => mails.to(address).map(({ text }) => text))]
  const secrets = new Set(read.flatMap((text) => text.match(/[\w-]{43}/g) ?? []))
  for (const token of secrets) {
    const visitor = test.visitor()
    await visitor.post('/api/auth/verify', { token })
    await visitor.post('/api/auth/reset/confirm', { token, password: MINE })
    await visitor.post('/api/auth/register', { email: victim.email, password: MINE, name: 'A', invitation: token })
  }
  for (const email of mine) {
    issuer.says({ sub: `manager as ${email}`, email, email_verified: true, name: 'Mine' })
    await signOn(test.visitor())
  }
}

async function signOn(client: TestClient) {
  const begun = await client.get('/api/auth/sso/oidc')
  if (!String(begun.headers.location).startsWith('http')) return
  const back = new URL(await issuer.visit(String(begun.headers.location)))
  await client.get(back.pathname + back.search)
}

/** How the manager got into an account of a victim; empty if not. */
async function intrusions({ test }: World, victims: Victim[]): Promise<string[]> {
  const ids = victims.map(({ id }) => id)
  const open = await test.db.select().from(sessions).where(inArray(sessions.accountId, ids))
  const ways = await test.db.select().from(credentials).where(inArray(credentials.accountId, ids))
  const hashes = new Set(victims.map(({ hash }) => hash))
  return [
    ...open.map(({ accountId }) => `a session of ${accountId}`),
    ...ways
      .filter(({ password }) => password === null || !hashes.has(password))
      .map(({ accountId, provider }) => `${provider} of ${accountId}`),
  ]
}

/** After each act come so many others, and after each that opens a way in half of those. They differ from one test to the next. */
const AFTER_EACH = process.env.LONG ? Number.POSITIVE_INFINITY : 1
const OPENS_A_WAY_IN = /reset|enable|approve|promote|people\/\{id\}$|invitations$/

let tests = 0
function pairsOf(acts: Call[]): [Call, Call][] {
  const start = tests++
  const isFar = (from: number, to: number) => (to - from - start + acts.length * 10) % acts.length >= AFTER_EACH
  const openWays = acts.filter(({ path }) => OPENS_A_WAY_IN.test(path))
  return acts.flatMap((first, from) =>
    acts.flatMap((second, to): [Call, Call][] => {
      const bothOpen = openWays.includes(first) && openWays.includes(second)
      return isFar(from, to) && !(bothOpen && (from + to + start) % 2 === 0) ? [] : [[first, second]]
    }),
  )
}

const nameOf = ({ method, path }: Call) => `${method} ${path}`

/** Makes two acts in a row on a victim of their own. Returns which of them led in. */
async function tryPairs(world: World, acts: Call[], emailVerified: boolean, role: 'fellow' | 'manager') {
  const found: string[] = []
  for (const [first, second] of pairsOf(acts)) {
    const victim = await makeVictim(world, emailVerified, role)
    const { mine, body } = bodyFor(victim)
    const answers = [await make(world, first, victim, body), await make(world, second, victim, body)]
    const texts = answers.map(({ text, headers }) => `${text} ${headers.location ?? ''}`)
    await tryEverything(world, victim, texts, [mine])
    for (const how of await intrusions(world, [victim])) found.push(`${nameOf(first)}, ${nameOf(second)}: ${how}`)
    expect((await world.client.get('/api/auth/me')).body.user.email, nameOf(second)).toBe('manager@mit.edu')
  }
  return found
}

const onPeople = ({ calls }: World) => calls.filter(({ path }) => path.startsWith('/api/programme/'))

describe('With mail set up', { timeout: 600_000 }, () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld({ SMTP_URL: mails.url, PUBLIC_URL: 'http://sourcebook.test', ...issuer.settings })
  })
  afterAll(() => world.test.close())

  it.each([
    ['a fellow with a confirmed address', true, 'fellow'],
    ['a fellow with an address that is not confirmed', false, 'fellow'],
    ['another manager', true, 'manager'],
  ] as const)(
    'no act of a manager, and no two in a row, leads to the session of %s',
    { tags: 'slow' },
    async (_who, verified, role) => {
      const acts = onPeople(world)
      expect(acts.length).toBeGreaterThan(12)
      expect(await tryPairs(world, acts, verified, role)).toEqual([])
    },
  )

  it('no call about accounts by a manager leads to the session of another person', { tags: 'slow' }, async () => {
    const acts = world.calls.filter((call) => !OWN_END.includes(nameOf(call)) && !onPeople(world).includes(call))
    expect(acts.length).toBeGreaterThan(10)
    const found: string[] = []
    for (const act of acts) {
      for (const verified of [true, false]) {
        const victim = await makeVictim(world, verified, 'fellow')
        const { mine, body } = bodyFor(victim)
        for (const email of [mine, victim.email]) {
          // A caller of its own: some of these calls sign in or out.
          const client = await world.test.signedIn(world.account)
          const texts = [(await make({ ...world, client }, act, victim, { ...body, email })).text]
          await tryEverything(world, victim, texts, [mine])
        }
        for (const how of await intrusions(world, [victim])) found.push(`${nameOf(act)}: ${how}`)
      }
    }
    expect(found).toEqual([])
  })
})

describe('Without mail', { timeout: 600_000 }, () => {
  const RESET = 'POST /api/programme/people/{id}/reset-password'

  it.each([
    ['and without single sign-on', {}],
    ['with single sign-on', undefined],
  ])('%s, only the link of a reset leads to the session of a fellow', { tags: 'slow' }, async (_which, environment) => {
    const world = await makeWorld(environment ?? issuer.settings)
    const found = await tryPairs(world, onPeople(world), false, 'fellow')
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((how) => !how.includes(RESET))).toEqual([])
    await world.test.close()
  })

  it('nothing leads to the session of another manager', { tags: 'slow' }, async () => {
    const world = await makeWorld(issuer.settings)
    expect(await tryPairs(world, onPeople(world), false, 'manager')).toEqual([])
    await world.test.close()
  })
})
