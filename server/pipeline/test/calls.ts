import { eq } from 'drizzle-orm'
import type { Account } from '#server/auth/sessions/session.ts'
import { accounts } from '#server/db/schema.ts'
import type { TestApp } from '#server/test/test-app.ts'

type Client = ReturnType<TestApp['visitor']>
type Named = { id: string; name: string }

const idsOf = (list: Named[]) => Object.fromEntries(list.map(({ id, name }) => [name, id])) as Record<string, string>

/** The calls on pipelines as one fellow, with the ids of the stages and reasons by name. */
export async function createPipelineCalls(test: TestApp, client: Client) {
  const answer = ({ status, body }: Awaited<ReturnType<Client['get']>>) => ({ status, body })
  const path = (id: string) => `/api/records/${id}/pipeline`
  return {
    stage: idsOf((await client.get('/api/stages')).body),
    reason: idsOf((await client.get('/api/passing-reasons')).body),
    get: async (id: string) => answer(await client.get(path(id))),
    put: async (id: string, body: object) => answer(await client.put(path(id), body)),
    /** The public id of a fellow. */
    fellowId: async ({ id }: Pick<Account, 'id'>) => {
      const [row] = await test.db.select({ id: accounts.publicId }).from(accounts).where(eq(accounts.id, id))
      return row?.id ?? ''
    },
  }
}
export type PipelineCalls = Awaited<ReturnType<typeof createPipelineCalls>>
