import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reset, switchTwoFactorOff } from '#server/auth/account-admin.ts'
import { findAccount, type KnownAccount } from '#server/auth/store.ts'
import { accounts } from '#server/db/schema.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const PATH = '/api/account/notices'
const READ = `${PATH}/seen`

const publicIdOf = async ({ id }: { id: string }) =>
  (await test.db.select({ publicId: accounts.publicId }).from(accounts).where(eq(accounts.id, id)))[0]?.publicId

const signInByLink = async (link: string, email: string): Promise<TestClient> => {
  const client = test.visitor()
  const token = link.split('token=')[1]
  await client.post('/api/auth/reset/confirm', { token, password: PASSWORD })
  await client.post('/api/auth/login', { email, password: PASSWORD })
  return client
}

describe('What others changed of an account', () => {
  it('is read by its owner at the next sign-in: who, what and when, until it is marked as read', {
    tags: 'slow',
  }, async () => {
    const [ann, manager] = [await fellowOf(test), await fellowOf(test, { name: 'Mira', role: 'manager' })]
    const person = `/api/programme/people/${await publicIdOf(ann.account)}`
    await manager.client.patch(person, { name: 'Ann Other' })
    await manager.client.patch(person, { email: `moved.${ann.account.email}` })
    const { body } = await manager.client.post(`${person}/reset-password`)
    const client = await signInByLink(body.link, `moved.${ann.account.email}`)
    const listed = (await client.get(PATH)).body
    expect(listed.map(({ what, by }: { what: string; by: string }) => [what, by])).toEqual([
      ['password', 'Mira'],
      ['address', 'Mira'],
      ['name', 'Mira'],
    ])
    expect(Date.now() - new Date(listed[0].at).getTime()).toBeLessThan(60_000)
    expect((await client.post(READ, { until: listed[1].at })).status).toBe(204)
    expect((await client.get(PATH)).body).toEqual(listed.slice(0, 1))
    await client.post(READ, { until: listed[0].at })
    expect((await client.get(PATH)).body).toEqual([])
  })

  it('includes what the operator did, who has no name, and nothing that is still to come', async () => {
    const ann = await fellowOf(test)
    const account = (await findAccount(test.db, ann.account.email)) as KnownAccount
    await ann.client.post(READ, { until: '2999-01-01T00:00:00Z' })
    await switchTwoFactorOff(test.db, account, 'operator')
    expect((await ann.client.get(PATH)).body).toMatchObject([{ what: 'two_factor', by: null }])
    const client = await signInByLink(`token=${await reset(test.db, account, 'operator')}`, account.email)
    expect((await client.get(PATH)).body).toMatchObject([{ what: 'password', by: null }, { what: 'two_factor' }])
  })

  it('does not include what the owner did, or what was done to others; the caller of `me` learns nothing of it', async () => {
    const [ann, manager] = [await fellowOf(test), await fellowOf(test, { role: 'manager' })]
    await ann.client.patch('/api/account', { name: 'Ann Herself' })
    await manager.client.post(`/api/programme/people/${await publicIdOf(ann.account)}/reset-two-factor`)
    await manager.client.patch(`/api/programme/people/${await publicIdOf(ann.account)}`, { name: 'Ann Other' })
    expect((await manager.client.get(PATH)).body).toEqual([])
    expect((await ann.client.get(PATH)).body).toMatchObject([{ what: 'name' }])
    expect(Object.keys((await ann.client.get('/api/auth/me')).body)).toEqual(['user', 'account', 'signIn'])
    expect((await ann.client.post(READ, { until: 'soon' })).status).toBe(400)
  })
})
