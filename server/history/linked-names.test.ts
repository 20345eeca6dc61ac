import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEmptyApp, IN } from '#server/import/test/import-file.ts'
import { merge, type Row } from '#server/merge/test/calls.ts'
import { purgeDeleted } from '#server/programme/deleted/store.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'

const test = createEmptyApp()
let ann: TestClient
let manager: TestClient
beforeAll(async () => {
  ann = (await fellowOf(test)).client
  manager = (await fellowOf(test, { role: 'manager' })).client
})

let number = 0
const add = async (path: string, input: object): Promise<Row> => (await ann.post(`/api/${path}`, input)).body
const founder = () => add('founders', { name: `Zoe Ostrander ${++number}`, linkedIn: `${IN}zoe-${number}`, notes: 'n' })
const company = () => add('companies', { name: `Mill ${++number}`, website: `https://m${number}.example`, notes: 'n' })
const remove = ({ id }: Row) => ann.delete(`/api/founders/${id}`)

/** Every way in which a founder goes. */
const WAYS: { way: string; go: (one: Row) => Promise<unknown> }[] = [
  { way: 'was deleted', go: remove },
  {
    way: 'was deleted, and erased after 30 days',
    go: async (one) => {
      await remove(one)
      await test.db.execute(sql`update records set deleted_at = now() - interval '30 days' where id = ${one.id}`)
      await purgeDeleted(test.db)
    },
  },
  {
    way: 'was erased',
    go: async ({ name }) => {
      const { body } = await manager.post('/api/programme/privacy/search', { names: [name] })
      const refs = body.filter(({ kind }: Row) => kind === 'record').map(({ ref }: Row) => ref)
      expect((await manager.post('/api/programme/privacy/erase', { refs, reason: 'asked' })).status).toBe(200)
    },
  },
  {
    way: 'was merged into one that was deleted',
    go: async (one) => {
      const survivor = await founder()
      expect((await merge(ann, survivor, one)).status).toBe(200)
      await remove(survivor)
    },
  },
]

describe('The history of a company', () => {
  it.each(WAYS)('does not name a founder that $way, linked until then or no longer', async ({ go }) => {
    const [one, linked, unlinked] = [await founder(), await company(), await company()]
    for (const { id } of [linked, unlinked]) {
      expect((await ann.put(`/api/founders/${one.id}/companies/${id}`, { role: 'Founder' })).status).toBe(200)
    }
    await ann.delete(`/api/founders/${one.id}/companies/${unlinked.id}`)
    const namesIn = async ({ id }: Row) => JSON.stringify((await ann.get(`/api/companies/${id}/history`)).body)
    for (const each of [linked, unlinked]) expect(await namesIn(each)).toContain(one.name)
    await go(one)
    for (const each of [linked, unlinked]) expect(await namesIn(each)).not.toContain('Ostrander')
  })
})
