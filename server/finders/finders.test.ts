import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { records } from '#server/db/schema.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const KINDS = [
  ['founders', 'founder', makeFounder],
  ['companies', 'company', makeCompany],
] as const

describe.each(KINDS)('Finders of %s', (path, kind, make) => {
  const open = async () => {
    const [creator, other] = [await fellowOf(test, { emailVerified: true }), await fellowOf(test)]
    const { id } = await make(test.db, { creator: creator.account })
    return { creator, other, id }
  }

  it('list the creator first, then others who met them; adding oneself twice is 200', async () => {
    const { creator, other, id } = await open()
    expect((await other.client.post(`/api/records/${id}/finders`, {})).status).toBe(201)
    expect((await other.client.post(`/api/records/${id}/finders`, {})).status).toBe(200)
    expect((await creator.client.post(`/api/records/${id}/finders`, {})).status).toBe(200)
    const { body } = await other.client.get(`/api/records/${id}/finders`)
    expect(body.map((finder: { fellow: { name: string }; via: string }) => [finder.fellow.name, finder.via])).toEqual([
      [creator.account.name, 'add'],
      [other.account.name, 'self'],
    ])
    expect(body[1].fellow.id).not.toBe(other.account.id)
  })

  it('are distinguished from other fellows of the same name, also by the address of an import', async () => {
    const { creator, id } = await open()
    const namesake = await fellowOf(test, { name: creator.account.name })
    const seenBy = async ({ client }: typeof namesake) =>
      (await client.get(`/api/records/${id}/finders`)).body.map((finder: { isMe: boolean }) => finder.isMe)
    expect([await seenBy(creator), await seenBy(namesake)]).toEqual([[true], [false]])
    const { body } = await namesake.client.post(`/api/records/${id}/finders`, {})
    expect(body).toMatchObject([{ isMe: false }, { fellow: { name: creator.account.name }, isMe: true }])
    const imported = { creatorId: null, creatorText: creator.account.email.toUpperCase() }
    await test.db.update(records).set(imported).where(eq(records.id, id))
    expect([await seenBy(creator), await seenBy(namesake)]).toEqual([
      [true, false],
      [false, true],
    ])
  })

  it('see the record in My Records and may edit it, also after their note is deleted', async () => {
    const { other, id } = await open()
    expect((await other.client.put(`/api/${path}/${id}`, { rating: 2 })).status).toBe(403)
    await other.client.post(`/api/records/${id}/finders`, {})
    const note = await other.client.post(`/api/notes/${kind}/${id}`, { content: 'Noted' })
    await other.client.delete(`/api/notes/${kind}/${id}/${note.body.note.id}`)
    const mine = await other.client.get(`/api/${path}?mine=true`)
    expect(mine.body.map((record: { id: string }) => record.id)).toEqual([id])
    expect(mine.headers['x-total-count']).toBe('1')
    expect((await other.client.put(`/api/${path}/${id}`, { rating: 2 })).status).toBe(200)
    expect((await other.client.delete(`/api/${path}/${id}`)).status).toBe(403)
  })

  it('take back that they met them, once or twice; the record then leaves My Records', async () => {
    const { other, id } = await open()
    await other.client.post(`/api/records/${id}/finders`, {})
    expect((await other.client.delete(`/api/records/${id}/finders`)).status).toBe(204)
    expect((await other.client.delete(`/api/records/${id}/finders`)).status).toBe(204)
    expect((await other.client.get(`/api/records/${id}/finders`)).body).toHaveLength(1)
    expect((await other.client.get(`/api/${path}?mine=true`)).body).toEqual([])
    expect((await other.client.put(`/api/${path}/${id}`, { rating: 2 })).status).toBe(403)
    const [entry] = (await other.client.get(`/api/${path}/${id}/history`)).body
    expect(entry).toMatchObject({ action: 'delete-finder', by: other.account.name })
    expect((await other.client.post(`/api/records/${id}/finders`, {})).status).toBe(201)
  })

  it('keep the record in My Records for their note, and cannot take back what they did not say themselves', async () => {
    const { creator, other, id } = await open()
    await other.client.post(`/api/records/${id}/finders`, {})
    await other.client.post(`/api/notes/${kind}/${id}`, { content: 'Noted' })
    expect((await creator.client.delete(`/api/records/${id}/finders`)).status).toBe(403)
    await other.client.delete(`/api/records/${id}/finders`)
    expect((await other.client.get(`/api/${path}?mine=true`)).body).toHaveLength(1)
    expect((await creator.client.get(`/api/records/${id}/finders`)).body).toHaveLength(1)
    await test.db.execute(
      sql`insert into finders (record_id, account_id, via) values (${id}, ${other.account.id}, 'import')`,
    )
    expect((await other.client.delete(`/api/records/${id}/finders`)).status).toBe(403)
  })

  it('are in the history of the record', async () => {
    const { other, id } = await open()
    await other.client.post(`/api/records/${id}/finders`, {})
    const [entry] = (await other.client.get(`/api/${path}/${id}/history`)).body
    expect(entry).toMatchObject({ action: 'add-finder', by: other.account.name, changes: [] })
  })
})

it('Finders of an unknown record are 404', async () => {
  const { client } = await fellowOf(test)
  for (const id of ['01890000-0000-7000-8000-000000000000', 'x']) {
    expect((await client.get(`/api/records/${id}/finders`)).status).toBe(404)
    expect((await client.post(`/api/records/${id}/finders`, {})).status).toBe(404)
  }
})
