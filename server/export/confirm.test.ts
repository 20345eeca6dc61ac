import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLog, sessions } from '#server/db/schema.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

/** A manager with founders of their own, who gave the password 16 minutes ago. */
async function managerWith(founders: number, description: string) {
  const { account, client } = await fellowOf(test, { role: 'manager' })
  await test.db.execute(sql`
    insert into records (id, kind, name, website, domain_key, description, notes, rating, creator_id, search_text, search_grams)
    select gen_random_uuid(), 'company', 'C' || n, 'https://c.example', 'c.example', ${description}::text, 'n', 5,
      ${account.id}, ${description}::text, search_grams(${description}::text)
    from generate_series(1, ${founders}::int) n`)
  await test.db
    .update(sessions)
    .set({ confirmedAt: new Date(Date.now() - 16 * 60_000) })
    .where(eq(sessions.accountId, account.id))
  const exportOf = (query: string) => client.get(`/api/companies/export?${query}`)
  return { account, client, exportOf }
}

describe('An export by a manager', () => {
  it('of more than 200 records asks for the password first, before its first byte, and then succeeds', {
    tags: 'slow',
  }, async () => {
    const { account, client, exportOf } = await managerWith(201, 'manyfold')
    const refused = await exportOf('search=manyfold')
    expect([refused.status, refused.body.code]).toEqual([403, 'confirm'])
    expect(refused.headers['content-disposition']).toBeUndefined()
    expect((await exportOf('format=jsonl')).body.code).toBe('confirm')
    const exported = and(eq(auditLog.accountId, account.id), eq(auditLog.action, 'export'), eq(auditLog.result, 'done'))
    expect(await test.db.$count(auditLog, exported)).toBe(0)
    await client.post('/api/account/confirm', { password: PASSWORD })
    const { status, text } = await exportOf('search=manyfold')
    expect([status, text.trim().split('\n').length]).toEqual([200, 202])
    expect(await test.db.$count(auditLog, exported)).toBe(1)
  })

  it('of 200 records or of My Records does not', { tags: 'slow' }, async () => {
    const { exportOf } = await managerWith(200, 'exactly')
    expect((await exportOf('search=exactly')).status).toBe(200)
    const mine = await managerWith(201, 'ownership')
    expect((await mine.exportOf('mine=true')).status).toBe(200)
  })
})
