import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFiles, importRows, imports } from '#server/db/schema.ts'
import { act, csv, importFile, NONE, prepare, settled, upload } from '#server/import/test/import-file.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

/** So many that reading them is still under way when it is cancelled. */
const MANY = 1_500

let made = 0
/** Lines of people who are similar to no others. */
const people = (count: number) =>
  csv(
    'Name',
    ...Array.from({ length: count }, () => {
      made += 1
      return `${(made * 7919).toString(36)}v ${made.toString(26)}z`
    }),
  )

const stateOf = async (client: TestClient, id: string) => (await client.get(`/api/imports/${id}`)).body

/** Waits until a step has done some rows, and not all. */
const untilWithin = (client: TestClient, id: string) =>
  expect.poll(async () => (await stateOf(client, id)).done, { timeout: 30_000, interval: 5 }).toBeGreaterThan(50)

describe('Cancelling', () => {
  it('an import that is read fails it, and it can be read again', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { body } = await upload(client, people(MANY))
    await untilWithin(client, body.id)
    const cancelled = await client.post(`/api/imports/${body.id}/cancel`)
    expect(cancelled).toMatchObject({ status: 202, body: { state: 'failed', error: 'Cancelled', startedAt: null } })
    const changed = await client.call('PATCH', `/api/imports/${body.id}`, { body: { kind: 'company' } })
    expect(changed).toMatchObject({ status: 200, body: { state: 'reading' } })
    expect(await settled(client, body.id)).toMatchObject({ state: 'ready', kind: 'company', total: MANY, done: MANY })
    expect(await test.db.$count(importRows, sql`import_id = ${body.id}`)).toBe(MANY)
  })

  it('an import that runs stops it; what is in stays, and can be reverted', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { id } = await prepare(client, people(600))
    await client.post(`/api/imports/${id}/run`)
    await untilWithin(client, id)
    expect((await client.post(`/api/imports/${id}/cancel`)).body.state).toBe('cancelled')
    const { done, counts } = await stateOf(client, id)
    expect(counts).toEqual({ ...NONE, created: done })
    expect(done).toBeLessThan(600)
    const inside = async () => Number((await client.get('/api/founders?mine=true&limit=1')).headers['x-total-count'])
    expect(await inside()).toBe(done)
    expect((await client.post(`/api/imports/${id}/run`)).status).toBe(409)
    expect(await act(client, id, 'revert')).toMatchObject({ state: 'reverted', counts: { reverted: done } })
    expect(await inside()).toBe(0)
  })

  it('is 409 in any other state, and once with a key', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { id } = await prepare(client, people(1))
    const error = 'Only an import that is being read or runs can be cancelled'
    expect(await client.post(`/api/imports/${id}/cancel`)).toMatchObject({ status: 409, body: { error } })
    await test.db.execute(sql`update imports set state = 'running', started_at = now() where id = ${id}`)
    const headers = { 'idempotency-key': 'cancel-1' }
    for (let sent = 0; sent < 2; sent += 1) {
      expect((await client.post(`/api/imports/${id}/cancel`, undefined, { headers })).status).toBe(202)
    }
  })
})

describe('Deleting', () => {
  it('removes an import with its file and rows, and leaves its records', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { id } = await importFile(client, people(3))
    expect((await client.delete(`/api/imports/${id}`)).status).toBe(204)
    expect((await client.get(`/api/imports/${id}`)).status).toBe(404)
    expect((await client.get('/api/imports')).body).toEqual([])
    const left = async () => [
      await test.db.$count(imports, sql`id = ${id}`),
      await test.db.$count(importRows, sql`import_id = ${id}`),
      await test.db.$count(importFiles, sql`import_id = ${id}`),
    ]
    await expect.poll(left).toEqual([0, 0, 0])
    expect((await client.get('/api/founders?mine=true')).body).toHaveLength(3)
  })

  it('ends an import that is being read', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { body } = await upload(client, people(MANY))
    await untilWithin(client, body.id)
    expect((await client.delete(`/api/imports/${body.id}`)).status).toBe(204)
    const left = async () => [
      await test.db.$count(imports, sql`id = ${body.id}`),
      await test.db.$count(importRows, sql`import_id = ${body.id}`),
    ]
    await expect.poll(left, { timeout: 30_000 }).toEqual([0, 0])
  })

  it.each([
    ['running', 'This import is still running. Cancel it first.'],
    ['reverting', 'This import is being reverted. Try again when it has ended.'],
  ])('is 409 while it is %s', { tags: 'slow' }, async (state, error) => {
    const { client } = await fellowOf(test)
    const { id } = await prepare(client, people(1))
    await test.db.execute(sql`update imports set state = ${state}, started_at = now() where id = ${id}`)
    expect(await client.delete(`/api/imports/${id}`)).toMatchObject({ status: 409, body: { error } })
  })

  it('and cancelling are for the importer and managers, and in the audit log', async () => {
    const [owner, other] = [await fellowOf(test), await fellowOf(test)]
    const manager = await fellowOf(test, { role: 'manager' })
    const { id } = await prepare(owner.client, people(1))
    await test.db.execute(sql`update imports set state = 'running', started_at = now() where id = ${id}`)
    expect((await other.client.post(`/api/imports/${id}/cancel`)).status).toBe(403)
    expect((await other.client.delete(`/api/imports/${id}`)).status).toBe(403)
    expect((await manager.client.post(`/api/imports/${id}/cancel`)).status).toBe(202)
    expect((await owner.client.delete(`/api/imports/${id}`)).status).toBe(204)
    const { rows } = (await test.db.execute(
      sql`select action, account_email as by from audit_log
        where object_id = ${id} and result = 'done' and action like '%-import' order by id`,
    )) as unknown as { rows: unknown[] }
    expect(rows).toEqual([
      { action: 'cancel-import', by: manager.account.email },
      { action: 'delete-import', by: owner.account.email },
    ])
  })
})

describe('A manager', () => {
  it('sees everyone’s imports with kind, size and who; others are refused', async () => {
    const [owner, manager] = [await fellowOf(test), await fellowOf(test, { role: 'manager' })]
    const file = people(1)
    const { id } = await prepare(owner.client, file)
    const { status, body } = await manager.client.get('/api/imports?all=true&limit=1')
    expect(status).toBe(200)
    expect(body).toMatchObject([{ id, kind: 'founder', bytes: file.length, by: owner.account.name, isMine: false }])
    expect((await manager.client.get('/api/imports')).body).toEqual([])
    expect((await owner.client.get('/api/imports?all=true')).status).toBe(403)
    expect((await owner.client.get('/api/imports?all=false')).body).toHaveLength(1)
  })
})
