import { eq } from 'drizzle-orm'
import type { InjectOptions } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { authSecret } from '#server/auth/sessions/secret.ts'
import { auditLog } from '#server/db/schema.ts'
import { everyRow } from '#server/db/test/every-row.ts'
import { mention, type Reader, readerOf } from '#server/inbox/test/world.ts'
import { makeFounder } from '#server/test/factories.ts'
import { ADDRESS, digestOf, endOthers, type MailWorld, openMailWorld, sendAt, subscriber } from './test/world.ts'
import { accountOfStop, stopToken } from './tokens.ts'

let world: MailWorld
let tom: Reader
let path: string
beforeAll(async () => {
  world = await openMailWorld()
})
afterAll(() => world.close())

const open = async () => {
  tom = await subscriber(world)
  path = `/stop/${stopToken(await authSecret(world.test.db, undefined), tom.publicId)}`
}
afterEach(() => endOthers(world))

/** Without a cookie, a session, an origin or an anti-forgery token. */
const post = (options: Omit<InjectOptions, 'method' | 'url'> = {}) =>
  world.test.app.inject({ ...options, method: 'POST', url: path })
const isOn = async () => (await digestOf(world, tom))?.rhythm !== 'off'
const noticesOf = async ({ client }: Reader) => (await client.get('/api/account/notices')).body

/** A session that is used is renewed. */
const everything = async () => ({ ...(await everyRow(world.test.db)), sessions: [] })

describe('The link that stops the mail', () => {
  it('opens a page with a button, and changes nothing', async () => {
    await open()
    const { statusCode, headers, body } = await world.test.app.inject({ method: 'GET', url: path })
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toContain('<form method="post"><button>Stop this mail</button></form>')
    expect(body).not.toMatch(/<script|src=/)
    expect(headers['set-cookie']).toBeUndefined()
    expect(await isOn()).toBe(true)
  })

  it.each<[form: string, sent: Omit<InjectOptions, 'method' | 'url'>]>([
    [
      'a form, as mail providers send it',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'List-Unsubscribe=One-Click' },
    ],
    [
      'a form of parts',
      {
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        payload: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      },
    ],
    ['nothing', {}],
    ['an empty form', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['broken JSON', { headers: { 'content-type': 'application/json' }, payload: '{"' }],
    ['a text without a type', { headers: { 'content-type': '' }, payload: 'x' }],
    ['an unknown type', { headers: { 'content-type': 'what/ever' }, payload: Buffer.from([0, 255]) }],
    ['more than a megabyte', { headers: { 'content-type': 'text/plain' }, payload: 'x'.repeat(1_200_000) }],
    ['the origin of another site', { headers: { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' } }],
  ])('stops it by a POST of %s', async (_form, sent) => {
    await open()
    const { statusCode, headers } = await post(sent)
    expect([statusCode, headers['set-cookie']]).toEqual([200, undefined])
    expect(await isOn()).toBe(false)
  })

  it('says so at the next sign-in, once, and twice is the same', async () => {
    await open()
    expect([(await post()).statusCode, (await post()).statusCode]).toEqual([200, 200])
    expect(await noticesOf(tom)).toEqual([{ id: expect.any(String), what: 'digest', by: null, at: expect.any(String) }])
    expect(await world.test.db.$count(auditLog, eq(auditLog.objectId, tom.account.id))).toBe(1)
    await mention(await readerOf(world.test), (await makeFounder(world.test.db)).id, tom)
    expect(await sendAt(world, '2031-01-01T08:05:00Z')).toBe(0)
  })

  it('stops the mail of that account alone, also where another fellow is signed in', async () => {
    await open()
    const other = await subscriber(world)
    const stop = await other.client.raw({ method: 'POST', url: path })
    expect(stop.status).toBe(200)
    expect([await isOn(), (await digestOf(world, other))?.rhythm]).toEqual([false, 'daily'])
  })

  it('has at most 100 characters of base64url, and any other one is refused with a page', async () => {
    await open()
    const token = path.slice('/stop/'.length)
    expect(token).toMatch(/^[\w-]{1,100}$/)
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`
    for (const wrong of [forged, token.slice(0, 22), 'x', `${token}AAAA`]) {
      for (const method of ['GET', 'POST'] as const) {
        const { statusCode, body } = await world.test.app.inject({ method, url: `/stop/${wrong}` })
        expect([statusCode, body.includes('This link is not valid')]).toEqual([404, true])
      }
    }
    expect(await isOn()).toBe(true)
    expect(accountOfStop('another secret', token)).toBeUndefined()
  })
})

it('GET and HEAD of each address in a mail change nothing in any table, signed in and out', async () => {
  await open()
  await mention(await readerOf(world.test), (await makeFounder(world.test.db)).id, tom)
  await sendAt(world, '2031-01-01T08:05:00Z')
  const [mail] = world.mails.to(tom.account.email)
  const addresses = [...`${mail?.text}${mail?.html}`.matchAll(/https:\/\/sourcebook\.test(\/[^\s"<]*)/g)].map(
    ([, at = '']) => at,
  )
  expect(new Set(addresses).size).toBe(3)
  expect(mail?.text).toContain(ADDRESS)
  const before = await everything()
  for (const url of addresses) {
    for (const method of ['GET', 'HEAD'] as const) {
      for (const client of [tom.client, world.test.visitor()]) {
        await client.raw({ method, url, headers: { accept: 'text/html' } })
      }
    }
  }
  expect(await everything()).toEqual(before)
})
