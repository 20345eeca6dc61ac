import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestClient } from '#server/test/test-app.ts'

const UNKNOWN = '01900000-0000-7000-8000-000000000001'

it('A request with several faults is refused for the first one in the order of the refusals', {
  tags: 'slow',
}, async () => {
  const test = await startTestApp()
  onTestFinished(() => test.close())
  const manager = await fellowOf(test, { role: 'manager' })
  const [other, ada] = [await fellowOf(test, { role: 'manager' }), await fellowOf(test, { emailVerified: true })]
  const idOf = async (id: string) =>
    String((await rowsOf<{ id: string }>(test.db, sql`select public_id as id from accounts where id = ${id}`))[0]?.id)
  const [mine, otherId, adaId] = [
    await idOf(manager.account.id),
    await idOf(other.account.id),
    await idOf(ada.account.id),
  ]
  const visitor = test.visitor()
  await visitor.get('/api/auth/me')

  /** Every fault; each step mends one more. */
  let client: TestClient = visitor
  let id = UNKNOWN
  let payload = '{'
  const headers: Record<string, string> = { host: 'evil.example', 'content-type': 'text/plain', 'x-account': adaId }
  const refusal = async () => {
    const answer = await client.raw({ method: 'PATCH', url: `/api/programme/people/${id}`, headers, payload })
    return [answer.status, answer.body.code ?? answer.body.fields ?? answer.body.error]
  }
  const tokenOf = ({ cookies }: TestClient) => cookies.get('XSRF-TOKEN') ?? ''
  await test.db.execute(sql`update sessions set confirmed_at = now() - interval '16 minutes'`)

  expect(await refusal()).toEqual([400, expect.stringContaining('PUBLIC_URL')])
  headers.host = 'localhost'
  expect(await refusal()).toEqual([415, expect.stringContaining('application/json')])
  headers['content-type'] = 'application/json'
  expect(await refusal()).toEqual([400, 'The request body is not valid JSON'])
  payload = '{}'
  expect(await refusal()).toEqual([403, 'forgery'])
  headers['x-xsrf-token'] = tokenOf(visitor)
  expect(await refusal()).toEqual([401, 'Not authenticated'])
  client = manager.client
  headers['x-xsrf-token'] = tokenOf(client)
  expect(await refusal()).toEqual([409, 'other_account'])
  headers['x-account'] = mine
  expect(await refusal()).toEqual([400, { name: 'Name is required' }])
  payload = JSON.stringify({ email: 'new@mit.edu' })
  expect(await refusal()).toEqual([404, 'There is no such person'])
  id = otherId
  expect(await refusal()).toEqual([403, expect.stringContaining('Ask the operator')])
  id = adaId
  expect(await refusal()).toEqual([403, 'confirm'])
  await test.db.execute(sql`update sessions set confirmed_at = now()`)
  expect(await refusal()).toEqual([409, expect.stringContaining('Only the person can change this address')])
})
