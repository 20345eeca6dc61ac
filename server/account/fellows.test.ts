import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '#server/db/schema.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const fellow = (name: string) => fellowOf(test, { name })
type Named = { name: string; id: string }
const namesIn = (body: Named[]) => body.map(({ name }) => name)

it('Fellows are found by a part of the name or address, in any case, accents ignored, those who begin with it first', async () => {
  const { client } = await fellow('Zed Quarrel')
  await fellow('Quarry Ånn')
  await fellow('Émile')
  expect(namesIn((await client.get('/api/fellows?search=QUARR')).body)).toEqual(['Quarry Ånn', 'Zed Quarrel'])
  expect(namesIn((await client.get('/api/fellows?search=%C3%A9mil')).body)).toEqual(['Émile'])
  expect(namesIn((await client.get('/api/fellows?search=emil')).body)).toEqual(['Émile'])
  expect(namesIn((await client.get('/api/fellows?search=quarry%20ann')).body)).toEqual(['Quarry Ånn'])
  expect((await client.get('/api/fellows?search=')).body.length).toBeGreaterThan(2)
})

it('A fellow who has left is found by id only; an unknown id finds none', async () => {
  const [{ client }, gone] = [await fellow('Here'), await fellow('Leftover')]
  const [{ id }] = (await client.get('/api/fellows?search=leftover')).body
  await test.db.update(accounts).set({ disabledAt: new Date() }).where(eq(accounts.id, gone.account.id))
  expect((await client.get('/api/fellows?search=leftover')).body).toEqual([])
  expect((await client.get(`/api/fellows?id=${id}`)).body).toEqual([
    { id, name: 'Leftover', email: gone.account.email },
  ])
  expect((await client.get('/api/fellows?id=01890000-0000-7000-8000-000000000000')).body).toEqual([])
  expect(await client.get('/api/fellows?id=x')).toMatchObject({
    status: 400,
    body: { fields: { id: expect.any(String) } },
  })
})

it('At most 20 fellows are returned, and none to a visitor', { tags: 'slow' }, async () => {
  const { client } = await fellow('Counter')
  for (let number = 0; number < 22; number += 1) await fellow(`Many ${number}`)
  expect((await client.get('/api/fellows?search=many')).body).toHaveLength(20)
  expect((await test.visitor().get('/api/fellows')).status).toBe(401)
})

it('A name with a slash, as people write it, is taken at sign-up, on the account and by managers, and found', async () => {
  const { client: manager } = await fellowOf(test, { name: 'Mara', role: 'manager' })
  const client = test.visitor()
  const names = ['Arjun s/o Kumar', 'Arjun A/L Kumar', 'Arjun Kumar (he/him)'] as const
  const signedUp = await client.post('/api/auth/register', {
    email: 'arjun@mit.edu',
    password: PASSWORD,
    name: names[0],
  })
  expect(signedUp.body).toMatchObject({ user: { name: names[0] } })
  expect((await client.patch('/api/account', { name: names[1] })).body).toMatchObject({ user: { name: names[1] } })
  const [person] = (await manager.get('/api/programme/people?search=arjun')).body
  const change = await manager.patch(`/api/programme/people/${person.id}`, { name: names[2] })
  expect([change.status, change.body.fields]).toEqual([200, undefined])
  expect(namesIn((await client.get(`/api/fellows?search=${encodeURIComponent('(HE/him')}`)).body)).toEqual([names[2]])
})
