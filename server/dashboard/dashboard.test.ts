import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WEEK_COUNT_MAX } from '#contract/limits.ts'
import { makeAccount, makeCompany, makeFounder, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const signIn = async (email: string) => {
  const visitor = test.visitor()
  await visitor.post('/api/auth/login', { email, password: PASSWORD })
  return visitor
}

describe('GET /dashboard', () => {
  it('returns 401 when signed out', async () => {
    expect((await test.visitor().get('/api/dashboard')).status).toBe(401)
  })

  it('is empty without records', async () => {
    const visitor = await signIn((await makeAccount(test.db)).email)
    expect((await visitor.get('/api/dashboard')).body).toEqual({
      founders: 0,
      companies: 0,
      fellows: [],
      week: { founders: 0, companies: 0 },
      recentFounders: [],
      recentCompanies: [],
    })
  })

  it('counts exactly, groups by account, sorts by total, and shows the 5 newest', async () => {
    // Two fellows with the same name are two entries, because grouping is by account.
    const few = await makeAccount(test.db, { name: 'Ada' })
    const many = await makeAccount(test.db, { name: 'Ada' })
    for (let index = 0; index < 2; index += 1) await makeFounder(test.db, { creator: few, name: `few ${index}` })
    for (let index = 0; index < 5; index += 1) await makeFounder(test.db, { creator: many, name: `many ${index}` })
    for (let index = 0; index < 6; index += 1) await makeCompany(test.db, { creator: few, name: `firm ${index}` })
    const visitor = await signIn(many.email)
    const { body } = await visitor.get('/api/dashboard')
    expect([body.founders, body.companies]).toEqual([7, 6])
    expect(body.fellows).toEqual([
      { createdBy: 'Ada', founders: 2, companies: 6 },
      { createdBy: 'Ada', founders: 5, companies: 0 },
    ])
    expect(body.recentFounders.map(({ name }: { name: string }) => name)).toEqual(
      [4, 3, 2, 1, 0].map((n) => `many ${n}`),
    )
  })

  it('counts what was added in the last seven days', async () => {
    const visitor = await signIn((await makeAccount(test.db)).email)
    const weekOf = async () => (await visitor.get('/api/dashboard')).body.week
    const before = await weekOf()
    const daysAgo = (days: number) => ({ createdAt: new Date(Date.now() - days * 86_400_000) })
    await makeFounder(test.db, daysAgo(6.9))
    await makeFounder(test.db, daysAgo(7.1))
    await makeCompany(test.db, daysAgo(0))
    expect(await weekOf()).toEqual({ founders: before.founders + 1, companies: before.companies + 1 })
  })

  it('counts a busy week up to its limit', { tags: 'slow' }, async () => {
    const creator = await makeAccount(test.db)
    const visitor = await signIn(creator.email)
    for (let index = 0; index <= WEEK_COUNT_MAX; index += 1) await makeFounder(test.db, { creator })
    const { body } = await visitor.get('/api/dashboard')
    expect(body.founders).toBeGreaterThan(WEEK_COUNT_MAX)
    expect(body.week.founders).toBe(WEEK_COUNT_MAX)
  })

  it('reflects deletions immediately', async () => {
    const fellow = await makeAccount(test.db, { name: 'Brief' })
    const { id } = await makeFounder(test.db, { creator: fellow })
    const visitor = await signIn(fellow.email)
    const before = (await visitor.get('/api/dashboard')).body
    await visitor.delete(`/api/founders/${id}`)
    const after = (await visitor.get('/api/dashboard')).body
    expect(after.founders).toBe(before.founders - 1)
    expect(after.fellows).not.toContainEqual({
      createdBy: 'Brief',
      founders: expect.anything(),
      companies: expect.anything(),
    })
  })
})
