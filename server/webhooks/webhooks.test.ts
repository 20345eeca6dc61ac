import { createHmac } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { Webhook as Verifier } from 'standardwebhooks'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WEBHOOK_TESTS_MAX, WEBHOOKS_MAX } from '#contract/limits.ts'
import { type NewWebhook, RING_PAUSE_MAX_SECONDS, Ring, type Webhook } from '#contract/webhooks.ts'
import { demote } from '#server/auth/account-admin.ts'
import { findAccount, type KnownAccount } from '#server/auth/store.ts'
import { rowsOf } from '#server/db/database.ts'
import { auditLog, sessions, webhooks } from '#server/db/schema.ts'
import { readFeedOn } from '#server/feed/test/reader.ts'
import { type Reader, readerOf } from '#server/inbox/test/world.ts'
import { applyLedger } from '#server/ledger/apply.ts'
import { recordRef } from '#server/programme/privacy/refs.ts'
import { pauseSending, resumeSending } from '#server/sending/store.ts'
import { makeFounder } from '#server/test/factories.ts'
import { openWebhookWorld, type WebhookWorld } from './test/world.ts'

let world: WebhookWorld
beforeAll(async () => {
  world = await openWebhookWorld()
})
afterAll(() => world.close())
afterEach(() => world.reset())

const PATH = '/api/programme/webhooks'
const NOWHERE = '01900000-0000-7000-8000-000000000000'
const DAY = 86_400

const add = (address: unknown = world.address(), by = world.manager) => by.client.post(PATH, { address })
async function added(address = world.address(), by = world.manager): Promise<NewWebhook> {
  const { status, body } = await add(address, by)
  expect([status, body.error]).toEqual([201, undefined])
  await world.test.db.execute(sql`update webhooks set next_at = '2031-01-01T00:00:00Z' where id = ${body.id}`)
  return body
}
const get = async (id: string): Promise<Webhook | undefined> =>
  (await world.manager.client.get(PATH)).body.find((one: Webhook) => one.id === id)
const confirmed = (reader: Reader, confirmedAt: Date | null) =>
  world.test.db.update(sessions).set({ confirmedAt }).where(eq(sessions.accountId, reader.account.id))
const cursorOf = ({ body }: { body: string }) => Ring.parse(JSON.parse(body)).data.cursor

describe('A webhook', () => {
  it('is rung for what is new in the feed, and the cursor of the ring leads to it', async () => {
    const address = world.address()
    await added(address)
    expect(await world.ring()).toBe(0)
    const ids = [await world.act(), await world.act()]
    expect(await world.ring()).toBe(1)
    const [ring] = world.ringsAt(address)
    const { entries } = await readFeedOn(world.manager.client, cursorOf(ring as never))
    expect(entries.map(({ event, record }) => [event, record])).toEqual(ids.map((id) => ['founder.created', id]))
    world.later(60)
    expect(await world.ring()).toBe(0)
  })

  it('gets no content: the type, the time and a cursor', async () => {
    const address = world.address()
    await added(address)
    await world.act()
    await world.ring()
    const [ring] = world.ringsAt(address)
    expect(JSON.parse(ring?.body ?? '')).toEqual({
      ...{ type: 'feed.changed', timestamp: world.now().toISOString(), data: { cursor: expect.any(String) } },
    })
  })

  it('is signed as Standard Webhooks says, and the package verifies it', async () => {
    const address = world.address()
    const { id, secret } = await added(address)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    // The package takes times of now alone.
    expect((await world.manager.client.post(`${PATH}/${id}/test`)).body).toEqual({ status: 200 })
    const [ring] = world.ringsAt(address)
    const { headers, body } = ring as NonNullable<typeof ring>
    expect(new Verifier(secret).verify(body, headers)).toMatchObject({ type: 'feed.changed' })
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`
    expect(() => new Verifier(other).verify(body, headers)).toThrow()
    expect(() => new Verifier(secret).verify(`${body} `, headers)).toThrow()
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  })

  it('is rung at most once in two seconds, however much is new', async () => {
    const address = world.address()
    await added(address)
    for (let second = 0; second < 8; second += 1) {
      await world.act()
      await world.ring()
      world.later(1)
    }
    expect(world.ringsAt(address)).toHaveLength(4)
  })

  it('is not rung for what is no entry, and does not look at it twice', async () => {
    const { id } = await added()
    const founder = await makeFounder(world.test.db)
    await world.act()
    expect(await world.ring()).toBe(1)
    world.later(5)
    await world.manager.client.put(`/api/records/${founder.id}/opinion`, { rating: 7 })
    await world.test.db.execute(
      sql`insert into audit_log (action, kind, object_id) values ('give-opinion', 'founder', ${founder.id})`,
    )
    const cursor = async () => (await world.test.db.select().from(webhooks).where(eq(webhooks.id, id)))[0]?.cursor
    const before = await cursor()
    expect(await world.ring()).toBe(0)
    expect(await cursor()).not.toBe(before)
  })

  it('is rung by one process while others look at the same time', async () => {
    const address = world.address()
    await added(address)
    await world.act()
    const rung = await Promise.all([world.ring(), world.ring(), world.ring()])
    expect(rung.reduce((sum, one) => sum + one, 0)).toBe(1)
    expect(world.ringsAt(address)).toHaveLength(1)
  })

  it.each<[string, number | null, Parameters<WebhookWorld['answers']>[0]]>([
    ['answers with an error', 500, (response) => void response.writeHead(500).end()],
    [
      'redirects, which is not followed',
      302,
      (response) => void response.writeHead(302, { location: '/hooks/elsewhere' }).end(),
    ],
    ['ends the connection', null, (response) => void response.destroy()],
  ])(
    'whose receiver %s is tried again with growing pauses, under the same id',
    { tags: 'slow' },
    async (_what, status, answer) => {
      const address = world.address()
      const { id } = await added(address)
      await world.act()
      world.answers(answer)
      const times: number[] = []
      for (let second = 0; second < 64; second += 1) {
        const before = world.ringsAt(address).length
        expect(await world.ring()).toBe(0)
        if (world.ringsAt(address).length > before) times.push(second)
        world.later(1)
      }
      expect(times).toEqual([0, 4, 12, 28, 60])
      expect(await get(id)).toMatchObject({
        lastStatus: status,
        lastSentAt: null,
        failingSince: expect.any(String),
        offAt: null,
      })
      expect(new Set(world.ringsAt(address).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(world.received.filter(({ path }) => path === '/hooks/elsewhere')).toEqual([])
      world.answers()
      world.later(RING_PAUSE_MAX_SECONDS)
      expect(await world.ring()).toBe(1)
      expect(await get(id)).toMatchObject({ lastStatus: 200, failingSince: null, lastSentAt: expect.any(String) })
    },
  )

  it('is tried each hour at last, is off after 3 days without success, and once it is back one ring and the feed give everything', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    const address = world.address()
    const { id } = await added(address)
    world.answers((response) => void response.writeHead(503).end())
    const missed = [await world.act()]
    let tries = 0
    const start = world.now().getTime()
    while ((await get(id))?.offAt === null) {
      const before = world.ringsAt(address).length
      await world.ring()
      tries += world.ringsAt(address).length - before
      world.later(RING_PAUSE_MAX_SECONDS / 2)
    }
    expect((world.now().getTime() - start) / 1_000).toBeGreaterThanOrEqual(3 * DAY)
    expect((world.now().getTime() - start) / 1_000).toBeLessThan(3 * DAY + 2 * RING_PAUSE_MAX_SECONDS)
    expect(tries).toBeGreaterThan(72)
    missed.push(await world.act())
    world.answers()
    world.later(DAY)
    expect(await world.ring()).toBe(0)
    world.received.length = 0
    expect((await world.manager.client.patch(`${PATH}/${id}`, { isConfirmed: true })).body).toMatchObject({
      offAt: null,
    })
    expect(await world.ring()).toBe(1)
    world.later(60)
    expect(await world.ring()).toBe(0)
    const [ring] = world.ringsAt(address)
    const { entries } = await readFeedOn(world.manager.client, cursorOf(ring as never))
    expect(entries.map(({ record }) => record)).toEqual(missed)
  })

  it.each<[string, Parameters<WebhookWorld['answers']>[0]]>([
    ['is slow', () => {}],
    [
      'never ends its answer',
      (response) => {
        response.writeHead(200)
        const more = setInterval(() => response.write('x'.repeat(1_000)), 1)
        response.on('close', () => clearInterval(more))
      },
    ],
  ])('is not delayed by another one whose receiver %s', { tags: 'slow' }, async (_what, answer) => {
    const [slow, quick] = [world.address(), world.address()]
    await added(slow)
    await added(quick)
    await world.act()
    world.answers((response, path) => (slow.endsWith(path) ? answer?.(response, path) : response.writeHead(200).end()))
    const began = performance.now()
    const rings = await world.begin()
    await expect.poll(() => world.ringsAt(quick).length).toBe(1)
    await Promise.race(rings)
    expect(performance.now() - began).toBeLessThan(5_000)
    for (let more = 0; more < 3; more += 1) {
      await world.act()
      world.later(2)
      // Of another look: those that it begins end before the slow one.
      await Promise.all(await world.begin())
    }
    expect(world.ringsAt(quick)).toHaveLength(4)
    world.received.length = 0
    await Promise.all(rings)
  })

  it('is given ten seconds', { tags: 'slow' }, async () => {
    const { id } = await added()
    await world.act()
    world.answers(() => {})
    const began = performance.now()
    expect(await world.ring()).toBe(0)
    const seconds = (performance.now() - began) / 1_000
    expect(seconds).toBeGreaterThan(9)
    expect(seconds).toBeLessThan(12)
    expect(await get(id)).toMatchObject({ lastStatus: null })
  })

  it('is not rung while sending is paused, as after a restore, and once it goes on for what was new', async () => {
    const address = world.address()
    const { id } = await added(address)
    await world.act()
    await pauseSending(world.test.db, 'restored')
    expect(await world.ring()).toBe(0)
    const { status, body } = await world.manager.client.post(`${PATH}/${id}/test`)
    expect([status, body.error]).toEqual([409, 'Sending is paused. Go on first.'])
    await resumeSending(world.test.db)
    expect(await world.ring()).toBe(1)
  })

  it('is rung once when the feed has begun again, with its beginning', async () => {
    const address = world.address()
    await added(address)
    await world.test.db.execute(sql`select begin_feed()`)
    const id = await world.act()
    expect(await world.ring()).toBe(1)
    world.later(5)
    expect(await world.ring()).toBe(0)
    const [ring] = world.ringsAt(address)
    const { entries } = await readFeedOn(world.manager.client, cursorOf(ring as never))
    expect(entries.map(({ record }) => record)).toEqual([id])
  })
})

describe('A way out', () => {
  it('is added by a manager who has given the password, shows its secret once, and is in the history without its address', async () => {
    await confirmed(world.manager, null)
    const refused = await add()
    expect([refused.status, refused.body.code]).toEqual([403, 'confirm'])
    await confirmed(world.manager, new Date())
    const { secret, ...webhook } = await added()
    expect(webhook).toMatchObject({
      ...{ address: `${world.host}/…CRET`, lastSentAt: null, failingSince: null, lastStatus: null, offAt: null },
      ...{ addedBy: { name: 'Priya' }, confirmedBy: { id: world.manager.publicId, name: 'Priya' } },
    })
    expect(JSON.stringify((await world.manager.client.get(PATH)).body)).not.toContain('whsec_')
    const [row] = await world.test.db.select().from(webhooks).where(eq(webhooks.id, webhook.id))
    expect(JSON.stringify(row)).not.toMatch(/SECRET|whsec_/)
    expect(JSON.stringify(row)).not.toContain(secret.slice('whsec_'.length))
    const entries = await world.test.db.select().from(auditLog).where(eq(auditLog.objectId, webhook.id))
    expect(entries.map(({ action, after }) => [action, after])).toEqual([
      ['webhook-create', { name: `${world.host}/…CRET` }],
    ])
  })

  it('that is added again by the same request is there once, with the same secret', async () => {
    const address = world.address()
    const headers = { 'idempotency-key': uuidv7() }
    const post = () => world.manager.client.post(PATH, { address }, { headers })
    const [one, two] = [await post(), await post()]
    expect(two.body).toEqual(one.body)
    expect((await world.manager.client.get(PATH)).body).toHaveLength(1)
  })

  it('stops when the manager who answers for it is one no more, until another one confirms it with the password', async () => {
    const lea = await readerOf(world.test, { name: 'Lea', role: 'manager' })
    const { id } = await added(world.address(), lea)
    await world.act()
    await demote(world.test.db, (await findAccount(world.test.db, lea.account.email)) as KnownAccount, 'operator')
    expect(await get(id)).toMatchObject({ addedBy: { name: 'Lea' }, confirmedBy: null })
    expect(await world.ring()).toBe(0)
    expect((await world.manager.client.post(`${PATH}/${id}/test`)).status).toBe(409)
    await confirmed(world.manager, null)
    const patch = () => world.manager.client.patch(`${PATH}/${id}`, { isConfirmed: true })
    expect((await patch()).body.code).toBe('confirm')
    await confirmed(world.manager, new Date())
    expect((await patch()).body).toMatchObject({ confirmedBy: { name: 'Priya' } })
    expect(await world.ring()).toBe(1)
  })

  it.each([
    ['of the house', 'https://127.0.0.2/hooks'],
    ['of a private network', 'https://10.0.0.1/hooks'],
    ['of metadata', 'https://169.254.169.254/latest'],
    ['of a private network in other digits', 'https://0x7f.2/hooks'],
    ['of this machine', 'https://[::1]/hooks'],
    ['of a name without a dot', 'https://localhost/hooks'],
    ['without https', 'http://example.com/hooks'],
    ['with another port', 'https://example.com:8443/hooks'],
    ['with a user name', 'https://a:b@example.com/hooks'],
    ['with a line break', 'https://example.com/x\r\nHost: evil.example'],
    ['of LinkedIn', 'https://www.linkedin.com/hooks'],
    ['of a file', 'file:///etc/passwd'],
    ['that is none', 'hello'],
    ['of 3,000 characters', `https://example.com/${'x'.repeat(3_000)}`],
    ['that is no text', 7],
  ])('is https, on 443, and public: an address %s is refused', async (_what, address) => {
    const { status, body } = await add(address)
    expect([status, Object.keys(body.fields)]).toEqual([400, ['address']])
  })

  it(`is one of at most ${WEBHOOKS_MAX}, also when several are added at once`, async () => {
    const answers = await Promise.all(Array.from({ length: WEBHOOKS_MAX + 2 }, () => add()))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(WEBHOOKS_MAX).fill(201), 409, 409])
  })

  it(`is tried by a test, at most ${WEBHOOK_TESTS_MAX} an hour, of which the status alone is shown`, async () => {
    const { id } = await added()
    const test = () => world.manager.client.post(`${PATH}/${id}/test`)
    world.answers((response) => void response.writeHead(404).end('secret of the receiver'))
    for (let tries = 0; tries < WEBHOOK_TESTS_MAX; tries += 1) expect((await test()).body).toEqual({ status: 404 })
    const { status, headers } = await test()
    expect([status, Number(headers['retry-after']) > 3_000]).toEqual([429, true])
  })

  it('that was removed stays so after a restore', async () => {
    const { id } = await added()
    expect((await world.manager.client.delete(`${PATH}/${id}`)).status).toBe(204)
    expect(await get(id)).toBeUndefined()
    const [line] = await rowsOf<{ id: string; at: string }>(
      world.test.db,
      sql`select id, to_json(at) #>> '{}' as at from ledger where kind = 'webhook' and facts ->> 'webhook' = ${id}`,
    )
    expect(line).toBeDefined()
    await world.test.db.transaction(async (tx) => {
      await tx.execute(sql`delete from ledger where id = ${line?.id}`)
      await tx.execute(sql`insert into webhooks (id, address, masked_address, secret, cursor, added_by, confirmed_by)
        select ${id}, '', '', '', '', id, id from accounts limit 1`)
      const erase = { listed: async () => {}, fellow: async () => {} }
      const at = new Date(line?.at ?? '').toISOString()
      await applyLedger(tx, [{ id: line?.id ?? '', at, kind: 'webhook', webhook: id }], erase)
    })
    expect(await get(id)).toBeUndefined()
  })

  it('is for managers alone', async () => {
    const { id } = await added()
    const { client } = await readerOf(world.test)
    const answers = [
      await client.get(PATH),
      await client.post(PATH, { address: world.address() }),
      await client.patch(`${PATH}/${id}`, { isConfirmed: true }),
      await client.delete(`${PATH}/${id}`),
      await client.post(`${PATH}/${id}/test`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  })

  it('that is not there is a 404', async () => {
    const { client } = world.manager
    const answers = [
      await client.patch(`${PATH}/${NOWHERE}`, { isConfirmed: true }),
      await client.delete(`${PATH}/${NOWHERE}`),
      await client.post(`${PATH}/${NOWHERE}/test`),
      await client.delete(`${PATH}/x`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })
})

it('The page of an erasure lists the webhooks that were in use since the record came, removed ones too', async () => {
  const { id } = await makeFounder(world.test.db, { name: 'Ada' })
  const [used, removed, quiet] = [await added(), await added(), await added()]
  const last = (webhook: Webhook, at: string) =>
    world.test.db.execute(sql`update webhooks set last_sent_at = ${at}::timestamptz where id = ${webhook.id}`)
  await last(used, '2031-01-01T07:00:00Z')
  await last(removed, '2031-01-02T07:00:00Z')
  await last(quiet, '2020-01-01T07:00:00Z')
  await world.manager.client.delete(`${PATH}/${removed.id}`)
  const headers = { 'idempotency-key': uuidv7() }
  const erase = { refs: [recordRef(id)], reason: 'asked' }
  const { status, body } = await world.manager.client.post('/api/programme/privacy/erase', erase, { headers })
  const filter = { name: used.address }
  expect([status, body.exports]).toEqual([
    200,
    [
      { at: '2031-01-02T07:00:00.000Z', by: world.manager.account.email, what: 'webhook', filter },
      { at: '2031-01-01T07:00:00.000Z', by: 'Priya', what: 'webhook', filter },
    ],
  ])
})
