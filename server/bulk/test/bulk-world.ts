import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { KindName } from '#contract/kinds.ts'
import { accounts } from '#server/db/schema.ts'
import type { Row } from '#server/merge/test/calls.ts'
import { factoryOf } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestApp } from '#server/test/test-app.ts'

export type Fellow = Awaited<ReturnType<typeof fellowOf>> & { publicId: string }

/** Fellows, records and calls for acts on many records. */
export function bulkWorld(test: () => TestApp) {
  let named = 0
  const recordOf =
    (kind: KindName) =>
    async ({ account }: Fellow): Promise<Row> => ({
      ...(await factoryOf(kind)(test().db, { creator: account })),
      kind,
    })
  return {
    fellow: async (overrides: Parameters<typeof fellowOf>[1] = {}): Promise<Fellow> => {
      const fellow = await fellowOf(test(), overrides)
      const [row] = await test()
        .db.select({ id: accounts.publicId })
        .from(accounts)
        .where(eq(accounts.id, fellow.account.id))
      return { ...fellow, publicId: row?.id ?? '' }
    },
    stages: async ({ client }: Fellow): Promise<Record<string, string>> =>
      Object.fromEntries((await client.get('/api/stages')).body.map(({ id, name }: Row) => [name, id])),
    tag: async ({ client }: Fellow): Promise<{ id: string; name: string }> => {
      named += 1
      const { id, name } = (await client.post('/api/tags', { name: `Tag ${named}` })).body
      return { id, name }
    },
    founder: recordOf('founder'),
    company: recordOf('company'),
    bulk: ({ client }: Fellow, records: { id: string }[], set: object, headers = {}) =>
      client.post('/api/records/bulk', { ids: records.map(({ id }) => id), set }, { headers }),
    undo: ({ client }: Fellow, bulkId: string) => client.post(`/api/records/bulk/${bulkId}/undo`, {}),
    put: async ({ client }: Fellow, { id }: { id: string }, body: object) => {
      const { version } = (await client.get(`/api/records/${id}/pipeline`)).body
      expect((await client.put(`/api/records/${id}/pipeline`, { ...body, version })).status).toBe(200)
    },
    load: async ({ client }: Fellow, { id, kind }: Row): Promise<Row> =>
      (await client.get(`/api/${kind === 'company' ? 'companies' : 'founders'}/${id}`)).body,
  }
}
