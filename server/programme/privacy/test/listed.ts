import { expect } from 'vitest'
import { IN } from '#server/import/test/import-file.ts'
import type { Row } from '#server/merge/test/calls.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestApp, TestClient } from '#server/test/test-app.ts'

// People who asked not to be kept, and the calls of a fellow and a manager.

export const REFUSED = {
  status: 409,
  body: { code: 'do_not_keep', error: expect.stringContaining('asked not to be kept') },
}

let number = 0
export const next = () => {
  number += 1
  return number
}
export const person = () => {
  const one = next()
  return { linkedIn: `${IN}gone-${one}`, email: `gone.${one}@planted.example` }
}
export const other = () => `${IN}other-${next()}`

export async function createWorld(test: TestApp) {
  const ann = await fellowOf(test)
  const manager = await fellowOf(test, { role: 'manager' })

  const add = async (values: object = {}, path = 'founders', client: TestClient = ann.client): Promise<Row> => {
    const own =
      path === 'founders' ? { linkedIn: other() } : { website: `https://w${next()}.example.com`, description: 'x' }
    const { status, body } = await client.post(`/api/${path}`, {
      ...{ name: `Ada ${number}`, notes: 'Met', ...own, ...values },
    })
    expect([status, body.error]).toEqual([201, undefined])
    return body
  }
  const patch = ({ id, version }: Row, values: object, client: TestClient = ann.client, path = 'founders') =>
    client.patch(`/api/${path}/${id}`, { version, ...values })
  const get = async ({ id }: Row): Promise<Row> => (await ann.client.get(`/api/founders/${id}`)).body
  const refOf = async ({ name }: Row): Promise<Row> => {
    const { body } = await manager.client.post('/api/programme/privacy/search', { names: [name] })
    return body.find(({ kind }: Row) => kind === 'record')
  }
  async function erase(record: Row, typed?: object) {
    const { ref } = await refOf(record)
    const input = { refs: [ref], reason: 'asked', ...(typed && { doNotKeep: typed }) }
    return manager.client.post('/api/programme/privacy/erase', input)
  }
  /** Lists addresses while records that have them stay. */
  async function list(addresses: object) {
    const { status, body } = await erase(await add({ name: `Zed Throwaway ${next()}` }), addresses)
    expect([status, body.error]).toEqual([200, undefined])
  }
  return { ann, manager, add, patch, get, refOf, erase, list }
}
