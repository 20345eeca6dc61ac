import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

describe('The name and the address of others', () => {
  const person = async (manager: TestClient, account: { email: string }) =>
    (await manager.get(`/api/programme/people?search=${account.email}`)).body[0]
  const change = (manager: TestClient, id: string, body: object) => manager.patch(`/api/programme/people/${id}`, body)

  it('are changed by a manager where no mail is set up, with both in the history; sessions and links end', async () => {
    const [ann, manager] = [await fellowOf(test, { emailVerified: false }), await fellowOf(test, { role: 'manager' })]
    const { id, canChange } = await person(manager.client, ann.account)
    expect(canChange).toEqual(['name', 'email'])
    expect((await change(manager.client, id, { name: 'Ann Other' })).body).toEqual({ id })
    expect((await ann.client.get('/api/auth/me')).body.user.name).toBe('Ann Other')
    const email = `moved.${ann.account.email}`
    expect((await change(manager.client, id, { email })).status).toBe(200)
    expect((await ann.client.get('/api/auth/me')).status).toBe(401)
    const acts = await rowsOf<{ before: object; after: object }>(
      test.db,
      sql`select before, after from audit_log where object_id = ${ann.account.id} and action in ('account-name', 'account-address') order by at, id`,
    )
    expect(acts.map(({ after }) => after)).toEqual([{ name: 'Ann Other' }, { email }])
    expect(acts[1]?.before).toEqual({ email: ann.account.email })
  })

  it('stay where the address may not join, is taken, is confirmed, or is of a manager', async () => {
    const [ann, bob] = [await fellowOf(test, { emailVerified: false }), await fellowOf(test, { emailVerified: true })]
    const [manager, other] = [await fellowOf(test, { role: 'manager' }), await fellowOf(test, { role: 'manager' })]
    const { id } = await person(manager.client, ann.account)
    const statusOf = async (of: string, body: object) => (await change(manager.client, of, body)).status
    expect(await statusOf(id, { email: 'ann@elsewhere.org' })).toBe(403)
    expect(await statusOf(id, { email: bob.account.email })).toBe(409)
    expect(await statusOf((await person(manager.client, bob.account)).id, { email: 'new@mit.edu' })).toBe(409)
    const { id: otherId } = await person(manager.client, other.account)
    expect(await statusOf(otherId, { email: 'new@mit.edu' })).toBe(403)
    expect(await statusOf(otherId, { name: 'Other Manager' })).toBe(200)
    expect(await statusOf(id, {})).toBe(400)
    expect(await statusOf(id, { name: ' ' })).toBe(400)
  })

  it('asks for the password before another address, and not before another name', async () => {
    const [ann, manager] = [await fellowOf(test, { emailVerified: false }), await fellowOf(test, { role: 'manager' })]
    const { id } = await person(manager.client, ann.account)
    await test.db.execute(sql`update sessions set confirmed_at = now() - interval '16 minutes'`)
    const { status, body } = await change(manager.client, id, { email: `moved.${ann.account.email}` })
    expect([status, body.code]).toEqual([403, 'confirm'])
    expect((await change(manager.client, id, { name: 'Ann' })).status).toBe(200)
  })

  it('gets one of two people who ask for one address at once, and a sentence for the other', async () => {
    const manager = await fellowOf(test, { role: 'manager' })
    const people = [await fellowOf(test, { emailVerified: false }), await fellowOf(test, { emailVerified: false })]
    const ids = await Promise.all(people.map(async ({ account }) => (await person(manager.client, account)).id))
    const email = `both.${people[0]?.account.email}`
    const asked = await Promise.all(ids.map((id) => change(manager.client, id, { email })))
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
