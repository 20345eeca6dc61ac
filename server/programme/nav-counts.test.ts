import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts, duplicatePairs } from '#server/db/schema.ts'
import { makeAccount, makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

it('The navigation has the number of duplicates, and for managers that of the people who wait', async () => {
  const { client, account } = await fellowOf(test)
  const counts = async () => (await client.get('/api/nav-counts')).body
  expect(await counts()).toEqual({ duplicates: 0 })

  const pair = async (kind: 'founder' | 'company', make: typeof makeFounder | typeof makeCompany) => {
    const [a, b] = [(await make(test.db)).id, (await make(test.db)).id].sort() as [string, string]
    await test.db.insert(duplicatePairs).values({ a, b, kind, reasons: ['name'], score: 1 })
    return { a, b }
  }
  const { a } = await pair('founder', makeFounder)
  await pair('company', makeCompany)
  expect(await counts()).toEqual({ duplicates: 2 })
  await test.db.update(duplicatePairs).set({ dismissed: [] }).where(eq(duplicatePairs.a, a))
  expect(await counts()).toEqual({ duplicates: 1 })

  await test.db.update(accounts).set({ role: 'manager' }).where(eq(accounts.id, account.id))
  const [waiting, disabled] = [await makeAccount(test.db), await makeAccount(test.db)]
  await test.db.update(accounts).set({ pendingSince: new Date() }).where(eq(accounts.id, waiting.id))
  await test.db
    .update(accounts)
    .set({ pendingSince: new Date(), disabledAt: new Date() })
    .where(eq(accounts.id, disabled.id))
  expect(await counts()).toEqual({ duplicates: 1, waiting: 1 })
})
