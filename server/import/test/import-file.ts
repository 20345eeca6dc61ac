import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Import, ImportPatch, ImportRow } from '#contract/import.ts'
import { records } from '#server/db/schema.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

/** The app for all tests of a file. Each starts without records. */
export function createEmptyApp(): TestApp {
  const test = {} as TestApp
  beforeAll(async () => {
    Object.assign(test, await startTestApp())
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    await test.db.delete(records)
  })
  return test
}

/** The lines of a CSV. */
export const csv = (...lines: string[]) => lines.join('\n')

const FILE = { 'content-type': 'application/octet-stream' }

export const upload = (client: TestClient, file: string | Buffer, name = 'people.csv', headers = {}) =>
  client.post(`/api/imports?name=${encodeURIComponent(name)}`, Buffer.from(file), { headers: { ...FILE, ...headers } })

/** Waits for the end of the current step. */
export async function settled(client: TestClient, id: string): Promise<Import> {
  const get = async (): Promise<Import> => (await client.get(`/api/imports/${id}`)).body
  const isBusy = async () => ['reading', 'running', 'reverting'].includes((await get()).state)
  await expect.poll(isBusy, { timeout: 50_000, interval: 100 }).toBe(false)
  return get()
}

/** Uploads a file, applies these changes, and waits until it is read. */
export async function prepare(client: TestClient, file: string | Buffer, patch?: ImportPatch, name?: string) {
  const { status, body } = await upload(client, file, name)
  expect([status, body.error]).toEqual([201, undefined])
  const read = await settled(client, body.id)
  if (patch === undefined) return read
  expect((await client.call('PATCH', `/api/imports/${body.id}`, { body: patch })).status).toBe(200)
  return settled(client, body.id)
}

export async function act(client: TestClient, id: string, what: 'run' | 'revert') {
  expect((await client.post(`/api/imports/${id}/${what}`)).status).toBe(202)
  return settled(client, id)
}

/** Uploads a file, runs its import and waits for its end. */
export async function importFile(client: TestClient, file: string | Buffer, patch?: ImportPatch, name?: string) {
  return act(client, (await prepare(client, file, patch, name)).id, 'run')
}

export const rowsOf = async (client: TestClient, id: string, query = ''): Promise<ImportRow[]> =>
  (await client.get(`/api/imports/${id}/rows?${query}`)).body

export const NONE = { created: 0, updated: 0, same: 0, duplicate: 0, maybe: 0, refused: 0, marked: 0 }

/** Imports a file, and returns its records, newest first. */
export async function recordsOf(client: TestClient, file: string, patch?: ImportPatch) {
  const done = await importFile(client, file, patch)
  expect(done.state).toBe('done')
  return { done, list: (await client.get(`/api/${done.kind === 'founder' ? 'founders' : 'companies'}`)).body }
}

export const HEADER = 'Name,LinkedIn,Notes,Rating'
export const IN = 'https://www.linkedin.com/in/'
