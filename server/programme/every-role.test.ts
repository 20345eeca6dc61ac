import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf, bodyOf, type Call, everyCall, isChange } from '#server/test/calls.ts'
import { makeAccount } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

// Every call of the programme for every role, including future ones: from the product's own description.

const ID = '01900000-0000-7000-8000-000000000001'

let test: TestApp
let calls: Call[]
beforeAll(async () => {
  test = await startTestApp()
  calls = (await everyCall(test.visitor())).filter(({ path }) => path.startsWith('/api/programme/'))
})
afterAll(() => test.close())

/** The status of every call. */
async function statuses(client: TestClient) {
  await client.get('/api/auth/me')
  const all: [call: string, status: number][] = []
  for (const call of calls) {
    const body = isChange(call) && call.method !== 'DELETE' ? bodyOf(call) : undefined
    const { status } = await client.call(call.method, addressOf(call, ID), body && { body })
    all.push([`${call.method} ${call.path}`, status])
  }
  return all
}

const everyOne = (status: number) => calls.map((call) => [`${call.method} ${call.path}`, status])

describe('Every call of the programme', () => {
  it('is 401 for a visitor', async () => {
    expect(calls.length).toBeGreaterThan(10)
    expect(await statuses(test.visitor())).toEqual(everyOne(401))
  })

  it('is 403 for a fellow, without a manager and with one', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    expect(await statuses(client)).toEqual(everyOne(403))
    await makeAccount(test.db, { role: 'manager' })
    expect(await statuses(client)).toEqual(everyOne(403))
  })

  it('is there for a manager', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test, { role: 'manager' })
    const refused = (await statuses(client)).filter(([, status]) => status === 401 || status === 403)
    expect(refused).toEqual([])
  })
})
