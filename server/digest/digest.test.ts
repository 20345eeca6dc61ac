import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { spanOfWeek, weekOf, weekWords } from '#contract/weeks.ts'
import { disable, enable, leave } from '#server/auth/account-admin.ts'
import { authSecret } from '#server/auth/sessions/secret.ts'
import { findAccount, type KnownAccount } from '#server/auth/store.ts'
import { rowsOf } from '#server/db/database.ts'
import { accounts, digestMails, digestRecords, digests } from '#server/db/schema.ts'
import { mark, mention, type Reader, readerOf, settle } from '#server/inbox/test/world.ts'
import { recordRef } from '#server/programme/privacy/refs.ts'
import { showNames } from '#server/sending/store.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { startTestApp } from '#server/test/test-app.ts'
import { stopDigest, takeDay } from './store.ts'
import {
  ADDRESS,
  digestOf,
  endOthers,
  headerOf,
  type MailWorld,
  openMailWorld,
  sendAt,
  subscriber,
} from './test/world.ts'
import { messageId } from './tokens.ts'

let world: MailWorld
let maya: Reader
beforeAll(async () => {
  world = await openMailWorld()
  maya = await readerOf(world.test, { name: 'Maya' })
})
afterAll(() => world.close())
afterEach(async () => {
  world.mails.be('taking')
  await endOthers(world)
})

const founder = async (name = 'Ada', by = maya) => (await makeFounder(world.test.db, { creator: by.account, name })).id
const mailsTo = ({ account }: Reader) => world.mails.to(account.email)
/** The nth morning of the mails. */
const morning = (day: number, time = '08:05') => `2031-01-${String(day).padStart(2, '0')}T${time}:00Z`

describe('The mail', () => {
  it('has only what is unread when it is sent, For you first: names and links, no notes, in plain text and HTML', async () => {
    const tom = await subscriber(world)
    const [id, own, read] = [await founder('Ada <b>'), await founder('Grace', tom), await founder('Bob')]
    await mention(maya, id, tom)
    await mention(maya, read, tom)
    await mark(tom, 'read', { record: read })
    await maya.client.post(`/api/notes/founder/${own}`, { content: 'Secret of the note' })
    expect(await sendAt(world, morning(1))).toBe(1)
    const [mail] = mailsTo(tom)
    expect(mail?.subject).toBe('1 for you on Sourcebook')
    const stop = /Stop this mail: (\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect(stop).toMatch(new RegExp(`^${ADDRESS}/stop/[\\w-]{20,100}$`))
    expect(mail?.text.replaceAll('\r\n', '\n').trim()).toBe(
      [
        `For you\n\n- Maya mentioned you in a note on Ada <b>\n  ${ADDRESS}/founders/${id}`,
        `News\n\n- Maya added a note on Grace\n  ${ADDRESS}/founders/${own}`,
        `When you get this mail: ${ADDRESS}/account\nStop this mail: ${stop}`,
      ].join('\n\n'),
    )
    expect(mail?.html).toContain(
      `<a href="${ADDRESS}/founders/${id}">Maya mentioned you in a note on Ada &#60;b&#62;</a>`,
    )
    expect(mail?.html).not.toMatch(/<img|<script|Secret|<b>/)
  })

  it('has twenty lines and says how many more there are', async () => {
    const tom = await subscriber(world)
    for (let number = 0; number < 23; number += 1) await mention(maya, await founder(`Ada ${number}`), tom)
    await maya.client.post(`/api/notes/founder/${await founder('Grace', tom)}`, { content: 'Called' })
    await sendAt(world, morning(1))
    const [mail] = mailsTo(tom)
    expect(mail?.text.match(/^- /gm)?.length).toBe(20)
    expect(mail?.text).toContain('and 4 more')
    expect(mail?.subject).toBe('23 for you on Sourcebook')
    expect(mail?.text).not.toContain('News')
  })

  it('is none if there is nothing, and a later act waits for the next day', async () => {
    const tom = await subscriber(world)
    expect(await sendAt(world, morning(1))).toBe(0)
    await mention(maya, await founder(), tom)
    expect(await sendAt(world, morning(1, '12:00'))).toBe(0)
    expect(await sendAt(world, morning(2))).toBe(1)
    expect(mailsTo(tom).length).toBe(1)
  })

  it('names people and records by what they are, where a manager has switched names off for all', async () => {
    const tom = await subscriber(world)
    const company = (await makeCompany(world.test.db, { creator: tom.account, name: 'Machinepay' })).id
    await maya.client.post(`/api/notes/company/${company}`, { content: 'Called' })
    await mention(maya, await founder(), tom)
    await showNames(world.test.db, undefined)
    await sendAt(world, morning(1))
    await world.test.db.execute(sql`delete from settings where key = 'names-outside'`)
    const [mail] = mailsTo(tom)
    expect(mail?.text).toContain('- A fellow mentioned you in a note on a founder\r\n')
    expect(mail?.text).toContain('- A fellow added a note on a company\r\n')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Maya|Ada|Machinepay/)
  })

  it('has what is new in watched searches, by their names as text', async () => {
    const tom = await subscriber(world)
    const search = { name: 'Fintech.example', kind: 'founder', query: '' }
    const { id } = (await tom.client.post('/api/searches', search)).body
    await tom.client.put(`/api/searches/${id}/watch`, { isWatched: true })
    await settle()
    await founder('New', maya)
    await settle()
    expect(await sendAt(world, morning(1))).toBe(1)
    expect(mailsTo(tom)[0]?.text).toContain('- 1 new in Fintech.\u2060example\r\n')
  })

  it('can be stopped by one click of a mail provider, named only where the address is https', async () => {
    const tom = await subscriber(world)
    await mention(maya, await founder(), tom)
    await sendAt(world, morning(1))
    await sendAt(world, morning(2), { address: 'http://localhost:3000', isHttps: false })
    const [first, second] = mailsTo(tom)
    const stop = /Stop this mail: (\S+)/.exec(first?.text ?? '')?.[1]
    expect(first && headerOf(first, 'List-Unsubscribe')).toBe(`<${stop}>`)
    expect(first && headerOf(first, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    expect(second?.headers).not.toMatch(/List-Unsubscribe/i)
    expect(second?.text).toContain('http://localhost:3000/stop/')
  })
})

describe('At most one mail a day', () => {
  it('also where the hour is moved to a later one of the same day', async () => {
    const tom = await subscriber(world)
    await mention(maya, await founder(), tom)
    expect(await sendAt(world, morning(1))).toBe(1)
    await world.test.db.update(digests).set({ hour: 10, nextAt: new Date(morning(1, '10:00')) })
    expect(await sendAt(world, morning(1, '10:05'))).toBe(0)
    expect(await sendAt(world, morning(2, '10:05'))).toBe(1)
    expect(mailsTo(tom).length).toBe(2)
  })

  it('of several processes one sends it', async () => {
    const tom = await subscriber(world)
    await mention(maya, await founder(), tom)
    await Promise.all([1, 2, 3].map(() => sendAt(world, morning(1))))
    expect(mailsTo(tom).length).toBe(1)
  })

  it('that is refused is tried again after half an hour, on that day only, and nothing is lost', async () => {
    const tom = await subscriber(world)
    await mention(maya, await founder(), tom)
    world.mails.be('refusing')
    expect(await sendAt(world, morning(1))).toBe(0)
    world.mails.be('taking')
    expect(await sendAt(world, morning(1, '08:30'))).toBe(0)
    expect(await sendAt(world, morning(1, '08:36'))).toBe(1)
    world.mails.be('refusing')
    expect(await sendAt(world, morning(2, '23:50'))).toBe(0)
    world.mails.be('taking')
    expect(await sendAt(world, morning(3, '00:30'))).toBe(0)
    expect(await sendAt(world, morning(3))).toBe(1)
    expect(mailsTo(tom).map(({ subject }) => subject)).toEqual(['1 for you on Sourcebook', '1 for you on Sourcebook'])
  })

  it('a second copy has the same Message-ID: the mail server took the first and hung up', async () => {
    const tom = await subscriber(world)
    await mention(maya, await founder(), tom)
    world.mails.be('hanging up')
    expect(await sendAt(world, morning(1))).toBe(0)
    world.mails.be('taking')
    expect(await sendAt(world, morning(1, '09:00'))).toBe(1)
    await sendAt(world, morning(2))
    const ids = mailsTo(tom).map((mail) => headerOf(mail, 'Message-ID'))
    const secret = await authSecret(world.test.db, undefined)
    const idOf = (day: string) => messageId(secret, { address: ADDRESS }, tom.account.id, day)
    expect(ids).toEqual([idOf('2031-01-01'), idOf('2031-01-01'), idOf('2031-01-02')])
  })

  it('its row is taken before it is sent, and a day that has been sent is not taken again', async () => {
    const tom = await subscriber(world)
    const take = () => takeDay(world.test.db, tom.account.id, '2031-01-01', [])
    expect([await take(), await take()]).toEqual([true, true])
    await world.test.db.update(digestMails).set({ sentAt: new Date() })
    expect(await take()).toBe(false)
  })
})

describe('It goes only to a proven address of an active account', () => {
  it.each([
    ['whose address is not proven', { emailVerified: false }],
    ['that waits for approval', { pendingSince: new Date() }],
    ['that is disabled', { disabledAt: new Date() }],
    ['that has left', { disabledAt: new Date(), leftAt: new Date() }],
  ])('none to one %s', async (_what, state) => {
    const tom = await subscriber(world)
    await mention(maya, await founder(), tom)
    await world.test.db.update(accounts).set(state).where(eq(accounts.id, tom.account.id))
    // As if the state had come between.
    await world.test.db
      .update(digests)
      .set({ rhythm: 'daily', nextAt: new Date(morning(1)) })
      .where(eq(digests.accountId, tom.account.id))
    expect(await sendAt(world, morning(1))).toBe(0)
    expect(await takeDay(world.test.db, tom.account.id, '2031-01-01', [])).toBe(false)
  })

  it.each([
    ['is disabled', (account: KnownAccount) => disable(world.test.db, account, 'operator')],
    ['leaves', (account: KnownAccount) => leave(world.test.db, [account], 'operator')],
  ])('the mail of a fellow who %s stops until the fellow chooses it again', async (_what, act) => {
    const tom = await subscriber(world)
    const account = (await findAccount(world.test.db, tom.account.email)) as KnownAccount
    await act(account)
    await enable(world.test.db, account, 'operator')
    expect(await digestOf(world, tom)).toMatchObject({ rhythm: 'off', nextAt: null })
  })
})

describe('The mail of a Monday', () => {
  // The records are added now, and the mails go out on the Monday after.
  const MONDAY = new Date(spanOfWeek(weekOf(Date.now()))[1]).toISOString().slice(0, 10)
  const week = weekOf(Date.now())
  const at = (time: string) => `${MONDAY}T${time}:00Z`
  const managers = (chosen: Parameters<typeof subscriber>[2]) =>
    subscriber(world, { name: 'Priya', role: 'manager' }, { hasWeek: true, nextAt: new Date(at('00:00')), ...chosen })

  it('begins with the Monday list for a manager who wants it: the week that ended, numbers, names and links', async () => {
    const priya = await managers({})
    const [id, name] = [await founder('ada.example'), 'ada.\u2060example']
    await mention(maya, id, priya)
    expect(await sendAt(world, at('08:05'))).toBe(1)
    const [mail] = mailsTo(priya)
    const text = mail?.text.replaceAll('\r\n', '\n') ?? ''
    expect(mail?.subject).toBe(`${weekWords(week)}, 1 for you on Sourcebook`)
    expect(text).toMatch(
      new RegExp(`^${weekWords(week)}, as of .* UTC\n\n- The whole list\n  ${ADDRESS}/programme/week/${week}\n\n`),
    )
    expect(text).toMatch(/- New: \d+ founders?: .*\n {2}https:\/\/sourcebook\.test\/founders\?cohort=/)
    expect(text).toContain(name)
    expect(text.indexOf('- New')).toBeLessThan(text.indexOf('For you'))
    const [, address = ''] = /- Found by, Maya: .*\n +(\S+)/.exec(text) ?? []
    const { body } = await priya.client.get(`/api${address.slice(ADDRESS.length)}`)
    expect(body.map((one: { id: string }) => one.id)).toContain(id)
    expect(await world.test.db.$count(digestRecords, eq(digestRecords.accountId, priya.account.id))).toBeGreaterThan(0)
  })

  it('has it alone at 7:00 UTC where the daily mail is off', async () => {
    const priya = await managers({ rhythm: 'mondays', hour: 7, nextAt: new Date(at('07:00')) })
    await mention(maya, await founder(), priya)
    expect(await sendAt(world, at('06:59'))).toBe(0)
    expect(await sendAt(world, at('07:00'))).toBe(1)
    expect(mailsTo(priya)[0]?.text).not.toContain('For you')
    expect(await digestOf(world, priya)).toMatchObject({ nextAt: new Date(Date.parse(at('07:00')) + 7 * 86_400_000) })
  })

  it('has numbers alone where names are off', async () => {
    const priya = await managers({})
    await founder('Grace')
    await showNames(world.test.db, undefined)
    expect(await sendAt(world, at('08:05'))).toBe(1)
    expect(mailsTo(priya)[0]?.text).toMatch(/- New: \d+ founders?\r?\n/)
    expect(mailsTo(priya)[0]?.text).not.toMatch(/Grace|Maya/)
    await showNames(world.test.db, priya.account.id)
  })

  it.each([
    ['on another day', {}, {}, new Date(Date.parse(MONDAY) + 86_400_000).toISOString().slice(0, 10)],
    ['for a manager who does not want it', { hasWeek: false }, {}, MONDAY],
    ['for one who is a manager no more', {}, { role: 'fellow' as const }, MONDAY],
  ])('is none %s', async (_what, chosen, overrides, day) => {
    const reader = await subscriber(
      world,
      { name: 'Priya', role: 'manager', ...overrides },
      { hasWeek: true, nextAt: new Date(at('00:00')), ...chosen },
    )
    await founder()
    expect(await sendAt(world, `${day}T08:05:00Z`)).toBe(0)
    expect(mailsTo(reader)).toEqual([])
  })

  it('is chosen by managers only, stays chosen with the rest, and ends with a stop', async () => {
    const PATH = '/api/account/digest'
    const chosen = { hour: 8, timeZone: 'Europe/Berlin' }
    const tom = await readerOf(world.test, { emailVerified: true })
    expect((await tom.client.put(PATH, { when: 'daily', ...chosen, week: true })).status).toBe(403)
    const priya = await readerOf(world.test, { emailVerified: true, role: 'manager' })
    expect((await priya.client.put(PATH, { when: 'off', ...chosen, week: true })).body).toMatchObject({
      when: 'off',
      week: true,
    })
    expect(await digestOf(world, priya)).toMatchObject({ rhythm: 'mondays', nextAt: expect.any(Date) })
    expect((await priya.client.put(PATH, { when: 'daily', ...chosen })).body).toMatchObject({
      when: 'daily',
      week: true,
    })
    expect((await priya.client.put(PATH, { when: 'daily', ...chosen, week: 'yes' })).body.fields).toEqual({
      week: 'Week must be true or false',
    })
    expect(await stopDigest(world.test.db, priya.account.id)).toBe(true)
    expect((await priya.client.get(PATH)).body).toMatchObject({ when: 'off', week: false })
  })
})

describe('The settings of the mail', () => {
  const PATH = '/api/account/digest'

  it('are off until chosen, then each day or weekdays, at an hour of the own zone', async () => {
    const tom = await readerOf(world.test, { emailVerified: true })
    const off = { when: 'off', hour: 8, timeZone: 'Europe/Berlin', mail: 'on', isOffered: false, week: false }
    expect((await tom.client.get(`${PATH}?timeZone=Europe/Berlin`)).body).toEqual(off)
    const chosen = { when: 'weekdays', hour: 7, timeZone: 'Asia/Kolkata' }
    expect((await tom.client.put(PATH, chosen)).body).toEqual({ ...chosen, week: false, mail: 'on', isOffered: false })
    expect((await tom.client.get(PATH)).body).toEqual({ ...chosen, week: false, mail: 'on', isOffered: false })
    expect(await digestOf(world, tom)).toMatchObject({ nextAt: expect.any(Date) })
    await tom.client.put(PATH, { ...chosen, when: 'off' })
    expect(await digestOf(world, tom)).toMatchObject({ nextAt: null })
  })

  it.each([
    ['when', { when: 'monthly' }, 'When must be off, daily or weekdays'],
    ['hour', { hour: 24 }, 'Hour must be a whole number from 0 to 23'],
    ['hour', { hour: '8' }, 'Hour must be a whole number from 0 to 23'],
    ['timeZone', { timeZone: 'Mars/Base' }, 'Time zone must be a name that is known, such as Europe/Berlin'],
    ['timeZone', { timeZone: undefined }, 'Time zone must be a name that is known, such as Europe/Berlin'],
  ])('are refused at the field %s', async (field, wrong, sentence) => {
    const { status, body } = await maya.client.put(PATH, { when: 'daily', hour: 8, timeZone: 'UTC', ...wrong })
    expect([status, body.fields]).toEqual([400, { [field]: sentence }])
  })

  it('say that the address is not confirmed, or that mail is not set up', async () => {
    const input = { when: 'daily', hour: 8, timeZone: 'UTC' }
    const tom = await readerOf(world.test, { emailVerified: false })
    expect((await tom.client.get(PATH)).body).toMatchObject({ mail: 'not_proven', isOffered: false })
    expect((await tom.client.put(PATH, input)).status).toBe(409)
    const without = await startTestApp()
    const ann = await readerOf(without, { emailVerified: true })
    expect((await ann.client.get(PATH)).body).toMatchObject({ mail: 'not_set_up', isOffered: false })
    expect((await ann.client.put(PATH, input)).body.error).toBe('Mail is not set up here, so none is sent.')
    await without.close()
  })

  it('are offered once, when something for the fellow has been unread for a day', async () => {
    const tom = await readerOf(world.test, { emailVerified: true })
    const offered = async () => (await tom.client.get(PATH)).body.isOffered
    await world.test.db
      .update(accounts)
      .set({ inboxSince: new Date(0) })
      .where(eq(accounts.id, tom.account.id))
    await mention(maya, await founder(), tom)
    expect(await offered()).toBe(false)
    const age = (hours: number) =>
      world.test.db.execute(
        sql`update mentions set created_at = now() - make_interval(hours => ${hours}) where account_id = ${tom.account.id}`,
      )
    await age(23)
    expect(await offered()).toBe(false)
    await age(25)
    expect(await offered()).toBe(true)
    await tom.client.put(PATH, { when: 'off', hour: 8, timeZone: 'UTC' })
    expect(await offered()).toBe(false)
  })
})

it('The page of an erasure lists the mails that named the record, to whom and when, also where it is asked again', async () => {
  const manager = await readerOf(world.test, { name: 'Priya', role: 'manager' })
  const [tom, other] = [await subscriber(world), await subscriber(world)]
  const [id, kept] = [await founder(), await founder()]
  await mention(maya, id, tom)
  await mention(maya, kept, other)
  await sendAt(world, morning(1))
  const erase = { refs: [recordRef(id)], reason: 'asked' }
  const headers = { 'idempotency-key': uuidv7() }
  for (const _again of [1, 2]) {
    const { status, body } = await manager.client.post('/api/programme/privacy/erase', erase, { headers })
    expect([status, body.exports]).toEqual([
      200,
      [{ at: expect.stringMatching(/Z$/), by: tom.account.email, what: 'daily-mail', filter: {} }],
    ])
  }
  expect(await world.test.db.$count(digestRecords, eq(digestRecords.recordId, id))).toBe(0)
})

it('An erasure of the fellow leaves nothing of it', async () => {
  const manager = await readerOf(world.test, { name: 'Priya', role: 'manager' })
  const tom = await subscriber(world)
  await mention(maya, await founder(), tom)
  await sendAt(world, morning(1))
  const rows = () =>
    rowsOf<{ count: number }>(
      world.test.db,
      sql`select (select count(*) from digests where account_id = ${tom.account.id})::int
        + (select count(*) from digest_mails where account_id = ${tom.account.id})::int
        + (select count(*) from digest_records where account_id = ${tom.account.id})::int as count`,
    )
  expect(await rows()).toEqual([{ count: 3 }])
  const { status } = await manager.client.post(`/api/programme/people/${tom.publicId}/erase`, {})
  expect(status).toBe(200)
  expect(await rows()).toEqual([{ count: 0 }])
})
