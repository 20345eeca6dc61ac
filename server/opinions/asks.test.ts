import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts, auditLog, opinionAsks } from '#server/db/schema.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
type Fellow = Awaited<ReturnType<typeof fellowOf>>
let maya: Fellow
beforeAll(async () => {
  test = await startTestApp()
  maya = await fellowOf(test)
})
afterAll(() => test.close())

const publicIdOf = async ({ account }: Fellow) =>
  (await test.db.select().from(accounts).where(eq(accounts.id, account.id)))[0]?.publicId ?? ''
const founder = async () => (await makeFounder(test.db, { creator: maya.account })).id
const ask = (id: string, fellows: unknown, by = maya) => by.client.post(`/api/records/${id}/opinions/ask`, { fellows })
const asksOf = (id: string) => test.db.select().from(opinionAsks).where(eq(opinionAsks.recordId, id))

describe('Asking for opinions', () => {
  it('returns 204 whatever they have given, and nothing else', async () => {
    const [id, given, not] = [await founder(), await fellowOf(test), await fellowOf(test)]
    await given.client.put(`/api/records/${id}/opinion`, { rating: 3 })
    const answers = [await ask(id, [await publicIdOf(given)]), await ask(id, [await publicIdOf(not)])]
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ])
    expect(await asksOf(id)).toMatchObject([
      { accountId: given.account.id, askedBy: maya.account.id },
      { accountId: not.account.id },
    ])
  })

  it('returns 400 at fellows for disabled ones, unknown ones and none, and asks no one then', async () => {
    const [id, gone, here] = [await founder(), await fellowOf(test), await fellowOf(test)]
    await test.db.update(accounts).set({ disabledAt: sql`now()` }).where(eq(accounts.id, gone.account.id))
    const INACTIVE = 'One of these fellows is not active'
    const cases: [unknown, string][] = [
      [[await publicIdOf(here), await publicIdOf(gone)], INACTIVE],
      [[here.account.id], INACTIVE],
      [['x'], 'There is no fellow with this id'],
      [[], 'Choose the fellows to ask'],
      [undefined, 'Choose the fellows to ask'],
      [Array(101).fill(await publicIdOf(here)), 'Choose at most 100 fellows'],
    ]
    for (const [fellows, error] of cases) {
      const { status, body } = await ask(id, fellows)
      expect([status, body.fields]).toEqual([400, { fellows: error }])
    }
    expect(await asksOf(id)).toEqual([])
  })

  it('is in the history of managers without whom was asked, and not in that of the record', async () => {
    const [id, asked] = [await founder(), await fellowOf(test, { name: 'Asked Fellow' })]
    const manager = await fellowOf(test, { role: 'manager' })
    await ask(id, [await publicIdOf(asked)])
    const { body } = await manager.client.get('/api/programme/history?action=ask-opinions')
    expect(body[0].sentence ?? body[0].text).toContain('asked fellows for their opinion')
    const texts = [
      JSON.stringify(body),
      JSON.stringify(await test.db.select().from(auditLog).where(eq(auditLog.action, 'ask-opinions'))),
      (await maya.client.get(`/api/founders/${id}/history`)).text,
    ]
    for (const text of texts) expect(text).not.toMatch(new RegExp(`Asked Fellow|${asked.account.id}`))
    expect(texts[2]).not.toContain('ask')
  })

  it('is no activity of the record', async () => {
    const [id, asked] = [await founder(), await fellowOf(test)]
    const before = (await maya.client.get(`/api/founders/${id}`)).body
    await ask(id, [await publicIdOf(asked)])
    expect((await maya.client.get(`/api/founders/${id}`)).body).toEqual(before)
  })

  it('ends with the account of either, once it is disabled', async () => {
    const [asker, asked, other] = [await fellowOf(test), await fellowOf(test), await fellowOf(test)]
    const id = await founder()
    await ask(id, [await publicIdOf(other)], asker)
    await ask(id, [await publicIdOf(asked)], other)
    await ask(id, [await publicIdOf(other)], maya)
    const manager = await fellowOf(test, { role: 'manager' })
    for (const who of [asker, asked]) {
      expect((await manager.client.post(`/api/programme/people/${await publicIdOf(who)}/disable`)).status).toBe(200)
    }
    expect(await asksOf(id)).toMatchObject([{ accountId: other.account.id, askedBy: maya.account.id }])
  })

  it('is 404 for a record that is not here', async () => {
    expect((await ask('01900000-0000-7000-8000-000000000000', [await publicIdOf(maya)])).status).toBe(404)
  })
})
