import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { idempotencyKeys } from './db/schema.ts'
import { bodyOf, type Call, everyCall, isChange, isPublic, makeWorld } from './test/calls.ts'
import { fellowOf } from './test/fellow.ts'
import { startTestApp, type TestApp } from './test/test-app.ts'

// What the head of every call declares, including future ones. That each refusal of a response is declared is checked
// by `test/answer-check.ts`, in every test.

let test: TestApp
let calls: Call[]
let tags: string[]
beforeAll(async () => {
  test = await startTestApp()
  calls = await everyCall(test.visitor())
  const { body } = await test.visitor().get('/api/openapi.json')
  tags = body.tags.map(({ name }: { name: string }) => name)
})
afterAll(() => test.close())

const named = (call: Call) => `${call.method} ${call.path}`
const takesKey = ({ operation }: Call) => operation.parameters?.some(({ name }) => name === 'idempotency-key') ?? false
const isStream = ({ path }: Call) => path === '/api/events'
const declares = (status: number) => (call: Call) => String(status) in call.operation.responses

describe('The head of every call', () => {
  it('names it by a verb and a noun, and sums it up under one tag of the document', () => {
    for (const { path, operation } of calls) {
      expect([path, operation]).toEqual([
        path,
        expect.objectContaining({
          operationId: expect.stringMatching(/^[a-z]+([A-Z][a-z]+)+$/),
          summary: expect.stringMatching(/^[A-Z].*[^.]$/),
          tags: [expect.toSatisfy((tag) => tags.includes(tag))],
        }),
      ])
    }
    expect(new Set(calls.map(({ operation }) => operation.operationId)).size).toBe(calls.length)
  })

  it('requires a session except for signing in, and an anti-forgery token for a change', () => {
    for (const call of calls) {
      const required = { ...(isChange(call) && { antiForgery: [] }), ...(!isPublic(call) && { session: [] }) }
      const security = Object.keys(required).length === 0 ? [] : [required]
      // `server/tokens/calls.test.ts` has what a token needs.
      const bySession = call.operation.security?.filter((scheme) => scheme.token === undefined)
      expect([named(call), bySession]).toEqual([named(call), security])
    }
  })

  it('takes a key where it creates a row, so that a repeated request creates it once', () => {
    const creating = calls.filter((call) => declares(201)(call) && !takesKey(call))
    // Of these the second one finds what is there: an account by its address, an invitation by its, a finder by the fellow. An
    // access token is shown once, so a repeated request makes another one.
    expect(creating.map(named).toSorted()).toEqual([
      'POST /api/account/tokens',
      'POST /api/auth/register',
      'POST /api/programme/invitations',
      'POST /api/records/{id}/finders',
    ])
  })

  it('declares what hooks refuse before the body runs', () => {
    for (const call of calls) {
      const { responses } = call.operation
      const refused = Object.keys(responses).filter((status) => status >= '400')
      const expected = [
        ...['400', '5XX'],
        ...(isPublic(call) ? [] : ['401']),
        ...(isPublic(call) || isStream(call) ? [] : ['429']),
        ...(isChange(call) ? ['403', '413', '415'] : []),
        ...(call.path.includes('{') ? ['404'] : []),
        ...(takesKey(call) ? ['422'] : []),
      ]
      expect([named(call), refused]).toEqual([named(call), expect.arrayContaining(expected)])
      if (isChange(call))
        expect([named(call), responses[403]?.description]).toEqual([named(call), expect.stringContaining('`forgery`')])
    }
  })
})

describe('A declared refusal is returned', () => {
  const send = async (call: Call, url: string, type: string, payload: string, more: Record<string, string> = {}) => {
    const headers = { 'x-xsrf-token': client.cookies.get('XSRF-TOKEN') ?? '', 'content-type': type, ...more }
    const { status } = await client.raw({ method: call.method, url, headers, payload })
    return [named(call), status]
  }
  let world: Awaited<ReturnType<typeof makeWorld>>
  let client: Awaited<ReturnType<typeof fellowOf>>['client']
  let account: Awaited<ReturnType<typeof fellowOf>>['account']
  beforeAll(async () => {
    ;({ account, client } = await fellowOf(test, { role: 'manager' }))
    world = await makeWorld(test.db, account)
  })

  it('413 for a body that is too large', { tags: 'slow' }, async () => {
    for (const call of calls.filter(declares(413))) {
      const isUpload = call.path === '/api/imports'
      const type = isUpload ? 'application/octet-stream' : 'application/json'
      const more = isUpload ? { 'content-length': '60000000' } : undefined
      expect(await send(call, world.about(call), type, `"${'a'.repeat(140_000)}"`, more)).toEqual([named(call), 413])
    }
  })

  it('415 for a body of another type', async () => {
    for (const call of calls.filter(declares(415))) {
      expect(await send(call, world.about(call), 'text/plain', 'x')).toEqual([named(call), 415])
    }
  })

  it('404 for an id that does not exist', { tags: 'slow' }, async () => {
    for (const call of calls.filter(declares(404)).filter((one) => /[0-9a-f-]{36}/.test(world.about(one)))) {
      const url = world.about(call).replaceAll(/[0-9a-f-]{36}/g, '01900000-0000-7000-8000-0000000000ff')
      const sent = isChange(call) ? bodyOf(call) : undefined
      const { status } = await client.call(call.method, url, { body: sent })
      expect([named(call), status]).toEqual([named(call), 404])
    }
  })

  it('422 for a key that was used with different content', async () => {
    const key = { accountId: account.id, key: 'used', fingerprint: 'other', madeId: account.id }
    await test.db.insert(idempotencyKeys).values(key)
    const other = await makeWorld(test.db, account)
    for (const call of calls.filter(declares(422))) {
      const isUpload = call.path === '/api/imports'
      const type = isUpload ? 'application/octet-stream' : 'application/json'
      const merged = {
        survivorId: world.founder.id,
        duplicateId: other.founder.id,
        versions: { [world.founder.id]: 1, [other.founder.id]: 1 },
      }
      const body = isUpload
        ? 'name,linkedIn\nAda,https://linkedin.com/in/ada'
        : JSON.stringify({ ...bodyOf(call), ...merged })
      expect(await send(call, world.about(call), type, body, { 'idempotency-key': 'used' })).toEqual([named(call), 422])
    }
  })
})
