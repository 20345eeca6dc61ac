import type { ServerResponse } from 'node:http'
import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Channel } from '#contract/channels.ts'
import { CHANNEL_TESTS_MAX, CHANNELS_MAX } from '#contract/limits.ts'
import { demote, disable, leave } from '#server/auth/account-admin.ts'
import { findAccount, type KnownAccount } from '#server/auth/store.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { auditLog, channels, sessions } from '#server/db/schema.ts'
import { putPipeline, readerOf, settle } from '#server/inbox/test/world.ts'
import { applyLedger } from '#server/ledger/apply.ts'
import { recordRef } from '#server/programme/privacy/refs.ts'
import { pauseSending, resumeSending } from '#server/sending/store.ts'
import { makeFounder } from '#server/test/factories.ts'
import { ADDRESS, type ChannelWorld, openChannelWorld, type Reader } from './test/world.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await openChannelWorld()
})
afterAll(() => world.close())
afterEach(async () => {
  world.answers()
  await world.test.db.delete(channels)
  await world.test.db.execute(sql`delete from attempts where key = 'channel tests'`)
})

const PATH = '/api/programme/channels'
const NOWHERE = '01900000-0000-7000-8000-000000000000'
/** 1 January 2031 is a Wednesday. */
const WEDNESDAY = '2031-01-01T07:01:00Z'
const THURSDAY = '2031-01-02T07:01:00Z'
const MONDAY = '2031-01-06T07:01:00Z'

const add = (overrides: object = {}, by = world.manager) =>
  by.client.post(PATH, { name: 'Team', kind: 'slack', address: world.address(), ...overrides })
const added = async (overrides: object = {}, by = world.manager): Promise<Channel> => {
  const { status, body } = await add(overrides, by)
  expect([status, body.error]).toEqual([201, undefined])
  await world.dueAt(body.id, '2031-01-01T07:00:00Z')
  return body
}
const get = async (id: string): Promise<Channel | undefined> =>
  (await world.manager.client.get(PATH)).body.find((one: Channel) => one.id === id)
const patch = (id: string, change: object, by = world.manager) => by.client.patch(`${PATH}/${id}`, change)

const search = async (by: Reader, overrides: object = {}) => {
  const input = { name: 'Berlin', kind: 'founder', query: 'search=berlin', isShared: true, ...overrides }
  const { status, body } = await by.client.post('/api/searches', input)
  expect(status).toBe(201)
  return body.id as string
}
const founder = (name = 'Ada', notes = 'Met in Berlin') => makeFounder(world.test.db, { name, notes })

/** A channel at an address of its own with a search of a fellow. */
async function channelWithSearch(kind = 'slack') {
  const ann = await readerOf(world.test, { name: 'Ann' })
  const [address, id] = [world.address(), await search(ann)]
  const channel = await added({ address, kind })
  expect((await patch(channel.id, { searches: [id] })).status).toBe(200)
  return { ann, address, channel, search: id, messages: () => world.messagesAt(address) }
}

describe('A channel', () => {
  it('gets one message a day, of what is new and changed in its searches, with a link', async () => {
    const { messages, channel, search } = await channelWithSearch()
    await founder()
    await founder('Bob')
    await founder('Cem', 'Met in Paris')
    await settle()
    expect(await world.sendAt(WEDNESDAY)).toBe(1)
    expect(await world.sendAt(WEDNESDAY)).toBe(0)
    expect(messages().map(({ body }) => body)).toEqual([
      { text: `New in saved searches\n• <${ADDRESS}/views/${search}|2 new in Berlin>` },
    ])
    expect(messages()[0]?.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(await get(channel.id)).toMatchObject({ lastStatus: 200, lastFailedAt: null })
    expect(await world.sendAt(THURSDAY)).toBe(0)
    await founder('Dan')
    await settle()
    await world.dueAt(channel.id, THURSDAY)
    expect(await world.sendAt(THURSDAY)).toBe(1)
    expect(messages().map(({ body }) => body.text)).toEqual([
      expect.stringContaining('2 new in Berlin'),
      expect.stringContaining('1 new in Berlin'),
    ])
  })

  it('gets the Monday list on Mondays: numbers of the week that ended, and its address', async () => {
    const { messages, channel } = await channelWithSearch('teams')
    const { id } = await founder('Zoltan <b>')
    await world.test.db.execute(sql`update records set created_at = '2031-01-01T12:00:00Z' where id = ${id}`)
    await world.dueAt(channel.id, MONDAY)
    expect(await world.sendAt(MONDAY)).toBe(1)
    const body = JSON.stringify(messages()[0]?.body)
    expect(body).toContain(`${ADDRESS}/programme/week/2031-W01`)
    expect(body).toContain('• New: 1 founder')
    expect(body).not.toContain('Zoltan')
  })

  it('names searches, stages and reasons by text, whatever they are built to be', async () => {
    const hostile = '<!here> [a](https://evil.example)'
    const ann = await readerOf(world.test, { name: 'Ann' })
    const [address, id] = [world.address(), await search(ann, { name: hostile })]
    const channel = await added({ address })
    await patch(channel.id, { searches: [id] })
    const { body: stage } = await world.manager.client.post('/api/stages', { name: hostile })
    const ada = await founder()
    await putPipeline(ann, ada.id, { stage: stage.id })
    await world.test.db.execute(sql`update records set created_at = '2031-01-01T12:00:00Z' where id = ${ada.id}`)
    await founder()
    await settle()
    await world.dueAt(channel.id, MONDAY)
    expect(await world.sendAt(MONDAY)).toBe(1)
    const { text } = world.messagesAt(address)[0]?.body ?? {}
    expect(text).toContain('• New, &lt;!here&gt; [a](https:\u2060')
    expect(text).toMatch(/\|\d new(, \d changed)? in &lt;!here&gt; \[a\]\(https:\u2060/u)
    expect(text).not.toMatch(/<!here>|evil\.example|:\/\/evil/)
  })

  it('gets no message where nothing is new, and none of one process while another sends it', async () => {
    const { messages } = await channelWithSearch()
    expect(await world.sendAt(WEDNESDAY)).toBe(0)
    const other = await channelWithSearch()
    await founder()
    await settle()
    const sent = await Promise.all([world.sendAt(WEDNESDAY), world.sendAt(WEDNESDAY), world.sendAt(WEDNESDAY)])
    expect(sent.reduce((sum, one) => sum + one, 0)).toBe(1)
    expect([messages().length, other.messages().length]).toEqual([0, 1])
  })

  it.each<[string, number | null, (response: ServerResponse) => void]>([
    ['answers with an error', 500, (response: ServerResponse) => void response.writeHead(500).end()],
    [
      'redirects, which is not followed',
      302,
      (response: ServerResponse) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    ],
    ['ends the connection', null, (response: ServerResponse) => void response.destroy()],
  ])('whose chat %s is tried again after half an hour, and loses nothing', async (_what, status, answer) => {
    const { messages, channel } = await channelWithSearch()
    await founder()
    await settle()
    world.answers(answer)
    expect(await world.sendAt(WEDNESDAY)).toBe(0)
    expect(await get(channel.id)).toMatchObject({
      lastStatus: status,
      lastSentAt: null,
      lastFailedAt: expect.any(String),
    })
    expect(await world.sendAt('2031-01-01T07:30:00Z')).toBe(0)
    world.answers()
    expect(await world.sendAt('2031-01-01T07:32:00Z')).toBe(1)
    expect(messages().map(({ body }) => body.text)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('1 new in Berlin')),
    )
  })

  it('is not delayed by another one whose chat is slow', async () => {
    const [slow, quick] = [await channelWithSearch(), await channelWithSearch()]
    await founder()
    await settle()
    let end = () => {}
    world.answers((response) => {
      if (quick.messages().length === 0) end = () => void response.writeHead(200).end()
      else response.writeHead(200).end()
    })
    const sending = world.sendAt(WEDNESDAY)
    await expect.poll(() => slow.messages().length + quick.messages().length).toBe(2)
    end()
    expect(await sending).toBe(2)
  })

  it('gets nothing while sending is paused, as after a restore, and once it goes on what was due', async () => {
    const { messages, channel } = await channelWithSearch()
    await founder()
    await settle()
    await pauseSending(world.test.db, 'restored')
    expect(await world.sendAt(WEDNESDAY)).toBe(0)
    expect(await world.sendAt(WEDNESDAY, { isSendingOff: true })).toBe(0)
    const { status, body } = await world.manager.client.post(`${PATH}/${channel.id}/test`)
    expect([status, body.error]).toEqual([409, 'Sending is paused. Go on first.'])
    await resumeSending(world.test.db)
    expect(await world.sendAt(WEDNESDAY)).toBe(1)
    expect(messages()).toHaveLength(1)
  })
})

describe('A search of a channel', () => {
  it.each([
    ['mine=true', 'mine'],
    ['opinion=missing', 'opinion'],
  ])('gives every reader the same: %s is refused', async (query) => {
    const { id } = await added()
    const refused = await patch(id, { searches: [await search(world.manager, { query })] })
    expect([refused.status, refused.body.fields.searches]).toEqual([
      400,
      'This search gives each reader other records. A channel takes only those that are the same for all',
    ])
  })

  it('is shared: another’s own one is refused like one that is not there, and leaves when it is shared no more', async () => {
    const { id } = await added()
    const ann = await readerOf(world.test, { name: 'Ann' })
    const own = await search(ann, { isShared: false })
    for (const one of [own, NOWHERE]) {
      const { status, body } = await patch(id, { searches: [one] })
      expect([status, body.fields]).toEqual([400, { searches: 'There is no shared search with this id' }])
    }
    const shared = await search(ann)
    expect((await patch(id, { searches: [shared] })).body.searches).toEqual([{ id: shared, name: 'Berlin', off: null }])
    await ann.client.patch(`/api/searches/${shared}`, { isShared: false })
    expect((await get(id))?.searches).toEqual([])
  })

  it.each([
    ['name', { name: 'Paris' }],
    ['query', { query: 'search=paris' }],
  ])('whose %s a fellow has changed is taken off, until a manager chooses it again', async (_what, change) => {
    const { ann, channel, search: id, messages } = await channelWithSearch()
    await founder('Eve', 'Met in Berlin and Paris')
    await settle()
    await ann.client.patch(`/api/searches/${id}`, change)
    expect((await get(channel.id))?.searches).toMatchObject([{ id, off: 'changed' }])
    expect(await world.sendAt(WEDNESDAY)).toBe(0)
    expect((await patch(channel.id, { searches: [id] })).body.searches).toMatchObject([{ id, off: null }])
    await founder('Fay', 'Met in Berlin and Paris')
    await settle()
    await world.dueAt(channel.id, THURSDAY)
    expect(await world.sendAt(THURSDAY)).toBe(1)
    expect(messages()[0]?.body.text).toContain('1 new in')
  })

  it.each([
    [
      'a manager changes it',
      'name',
      (id: string) => world.manager.client.patch(`/api/searches/${id}`, { name: 'Rome' }),
    ],
    [
      'only what is sought changes',
      'about',
      (id: string, ann: Reader) => ann.client.patch(`/api/searches/${id}`, { about: 'x' }),
    ],
    [
      'it is saved as it was',
      'query',
      (id: string, ann: Reader) => ann.client.patch(`/api/searches/${id}`, { name: 'Berlin', query: 'search=berlin' }),
    ],
  ])('stays where %s', async (_what, _field, change) => {
    const { ann, channel, search: id } = await channelWithSearch()
    expect((await change(id, ann)).status).toBe(200)
    expect((await get(channel.id))?.searches).toMatchObject([{ id, off: null }])
  })

  it.each([
    ['has left', (db: Database, account: KnownAccount) => leave(db, [account], 'operator')],
    ['is disabled', (db: Database, account: KnownAccount) => disable(db, account, 'operator')],
  ])('whose fellow %s is in no message', async (_what, end) => {
    const { ann, channel, search: id } = await channelWithSearch()
    await founder()
    await settle()
    await end(world.test.db, (await findAccount(world.test.db, ann.account.email)) as KnownAccount)
    expect((await get(channel.id))?.searches).toMatchObject([{ id, off: 'creator_left' }])
    expect(await world.sendAt(WEDNESDAY)).toBe(0)
  })
})

describe('A way out', () => {
  const confirmed = (reader: Reader, confirmedAt: Date | null) =>
    world.test.db.update(sessions).set({ confirmedAt }).where(eq(sessions.accountId, reader.account.id))

  it('is added by a manager who has given the password, and is in the history without its address', async () => {
    await confirmed(world.manager, null)
    const refused = await add()
    expect([refused.status, refused.body.code]).toEqual([403, 'confirm'])
    await confirmed(world.manager, new Date())
    const address = world.address()
    const channel = await added({ address })
    expect(channel).toMatchObject({
      ...{ name: 'Team', kind: 'slack', address: `${world.host}/…CRET`, searches: [], lastSentAt: null },
      ...{ addedBy: { name: 'Priya' }, confirmedBy: { id: world.manager.publicId, name: 'Priya' } },
    })
    const [row] = await world.test.db.select().from(channels).where(eq(channels.id, channel.id))
    expect(row?.address).not.toContain('SECRET')
    const entries = await world.test.db.select().from(auditLog).where(eq(auditLog.objectId, channel.id))
    expect(entries.map(({ action, after }) => [action, after])).toEqual([
      ['channel-create', { name: 'Team', kind: 'slack' }],
    ])
  })

  it('stops when the manager who answers for it is one no more, until another one confirms it with the password', async () => {
    const lea = await readerOf(world.test, { name: 'Lea', role: 'manager' })
    const channel = await added({}, lea)
    const id = await search(lea)
    await patch(channel.id, { searches: [id] }, lea)
    await founder()
    await settle()
    await demote(world.test.db, (await findAccount(world.test.db, lea.account.email)) as KnownAccount, 'operator')
    expect(await get(channel.id)).toMatchObject({ addedBy: { name: 'Lea' }, confirmedBy: null })
    expect(await world.sendAt(WEDNESDAY)).toBe(0)
    expect((await world.manager.client.post(`${PATH}/${channel.id}/test`)).status).toBe(409)
    await confirmed(world.manager, null)
    expect((await patch(channel.id, { isConfirmed: true })).body.code).toBe('confirm')
    await confirmed(world.manager, new Date())
    expect((await patch(channel.id, { isConfirmed: true })).body).toMatchObject({ confirmedBy: { name: 'Priya' } })
    await world.dueAt(channel.id, THURSDAY)
    expect(await world.sendAt(THURSDAY)).toBe(1)
  })

  it.each([
    ['of the house', 'slack', 'https://127.0.0.1/services/x'],
    ['of a private network', 'slack', 'https://10.0.0.1/services/x'],
    ['of metadata', 'slack', 'https://169.254.169.254/latest'],
    ['of another host', 'slack', 'https://evil.example/services/x'],
    ['that ends like the chat', 'slack', 'https://evilhooks.slack.com.evil.example/x'],
    ['below the chat', 'slack', 'https://a.hooks.slack.com/services/x'],
    ['without https', 'slack', 'http://hooks.slack.com/services/x'],
    ['with another port', 'slack', 'https://hooks.slack.com:8443/services/x'],
    ['with a user name', 'slack', 'https://a:b@hooks.slack.com/services/x'],
    ['with a line break', 'slack', 'https://hooks.slack.com/services/x\r\nHost: evil.example'],
    ['of the other chat', 'teams', 'https://hooks.slack.com/services/x'],
    ['of another place of Microsoft', 'teams', 'https://login.microsoftonline.com/x'],
    ['that is none', 'teams', 'hello'],
    ['of nothing', 'slack', 'https://hooks.slack.com/'],
  ])('is of its chat alone: an address %s is refused', async (_what, kind, address) => {
    const { status, body } = await add({ kind, address })
    expect([status, body.fields.address]).toEqual([400, expect.stringMatching(/^(Enter the address|Address must be)/)])
  })

  it.each([
    ['slack', 'https://hooks.slack.com/services/T0/B0/x'],
    ['teams', 'https://firm.webhook.office.com/webhookb2/x@y/IncomingWebhook/z'],
    ['teams', 'https://prod-12.westeurope.logic.azure.com:443/workflows/x/triggers/manual?sig=y'],
    ['teams', 'https://default0.1a.environment.api.powerplatform.com/powerautomate/x?sig=y'],
  ])('may have the addresses that %s gives', async (kind, address) => {
    expect((await add({ kind, address })).status).toBe(201)
  })

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(61) }],
    ['kind', { kind: 'irc' }],
    ['address', { address: 7 }],
  ])('is refused at the field %s', async (field, wrong) => {
    const { status, body } = await add(wrong)
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]])
  })

  it(`is one of at most ${CHANNELS_MAX}, also when several are added at once`, async () => {
    const answers = await Promise.all(Array.from({ length: CHANNELS_MAX + 2 }, () => add()))
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: CHANNELS_MAX }, () => 201),
      ...[409, 409],
    ])
  })

  it(`is tried by a test, at most ${CHANNEL_TESTS_MAX} an hour`, async () => {
    const address = world.address()
    const { id } = await added({ address, name: '*Team*' })
    const test = () => world.manager.client.post(`${PATH}/${id}/test`)
    expect((await test()).body).toEqual({ status: 200 })
    expect(world.messagesAt(address)[0]?.body.text).toContain('A test from Sourcebook for ＊Team＊')
    world.answers((response) => void response.writeHead(404).end('secret of the chat'))
    expect((await test()).body).toEqual({ status: 404 })
    for (let more = 2; more < CHANNEL_TESTS_MAX; more += 1) await test()
    const { status, headers } = await test()
    expect([status, Number(headers['retry-after']) > 3_000]).toEqual([429, true])
  })

  it('that was removed stays so after a restore', async () => {
    const { id } = await added()
    expect((await world.manager.client.delete(`${PATH}/${id}`)).status).toBe(204)
    expect(await get(id)).toBeUndefined()
    const lines = await rowsOf<{ id: string; at: string; channel: string }>(
      world.test.db,
      sql`select id, to_json(at) #>> '{}' as at, facts ->> 'channel' as channel from ledger where kind = 'channel' and facts ->> 'channel' = ${id}`,
    )
    expect(lines).toHaveLength(1)
    await world.test.db.transaction(async (tx) => {
      await tx.execute(sql`delete from ledger where id = ${lines[0]?.id}`)
      await tx.execute(sql`insert into channels (id, name, kind, address, masked_address, added_by, confirmed_by, next_at)
        select ${id}, 'Back', 'slack', '', '', id, id, now() from accounts limit 1`)
      const at = new Date(lines[0]?.at ?? '').toISOString()
      const erase = { listed: async () => {}, fellow: async () => {} }
      await applyLedger(tx, [{ id: lines[0]?.id ?? '', at, kind: 'channel', channel: id }], erase)
    })
    expect(await get(id)).toBeUndefined()
  })

  it('is for managers alone', async () => {
    const { id } = await added()
    const { client } = await readerOf(world.test)
    const answers = [
      await client.get(PATH),
      await client.post(PATH, { name: 'A', kind: 'slack', address: world.address() }),
      await client.patch(`${PATH}/${id}`, { searches: [] }),
      await client.delete(`${PATH}/${id}`),
      await client.post(`${PATH}/${id}/test`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  })

  it('that is not there is a 404', async () => {
    const { client } = world.manager
    const answers = [
      await client.patch(`${PATH}/${NOWHERE}`, { searches: [] }),
      await client.delete(`${PATH}/${NOWHERE}`),
      await client.post(`${PATH}/${NOWHERE}/test`),
      await client.delete(`${PATH}/x`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })
})

it('The page of an erasure lists the channels that were in use since the record came, removed ones too', async () => {
  const { id } = await founder()
  await settle()
  const [used, removed, quiet] = [await added({ name: 'Used' }), await added({ name: 'Gone' }), await added()]
  const last = (channel: Channel, at: string) =>
    world.test.db.execute(sql`update channels set last_sent_at = ${at}::timestamptz where id = ${channel.id}`)
  await last(used, WEDNESDAY)
  await last(removed, THURSDAY)
  await last(quiet, '2020-01-01T07:00:00Z')
  await world.manager.client.delete(`${PATH}/${removed.id}`)
  const erase = { refs: [recordRef(id)], reason: 'asked' }
  const headers = { 'idempotency-key': uuidv7() }
  const { status, body } = await world.manager.client.post('/api/programme/privacy/erase', erase, { headers })
  expect([status, body.exports]).toEqual([
    200,
    [
      { at: '2031-01-02T07:01:00.000Z', by: world.manager.account.email, what: 'channel', filter: { name: 'Gone' } },
      { at: '2031-01-01T07:01:00.000Z', by: 'Priya', what: 'channel', filter: { name: 'Used' } },
    ],
  ])
})
