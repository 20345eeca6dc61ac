import { type Statement, startTape } from '#server/db/test/statement-tape.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import type { Call, Request } from './calls.ts'

/** The least cost of one request: its statements, grouped when sent together, and the bytes of its response. */
export type Recorded = { status: number; headers: Record<string, string>; body: string; groups: Statement[][] }

/** A placeholder among the values for an id that each run generates. */
export const NEW_ID = '$NEW'

/** Runs each request of each call once in this process, and records its statements and its response. */
export async function recordCalls(
  databaseUrl: string,
  calls: Call[],
  headers: Record<string, string>,
): Promise<Record<string, Recorded[]>> {
  const tape = startTape()
  const [{ openDatabase }, { buildApp }, { readSettings }] = await Promise.all([
    import('#server/db/open.ts'),
    import('#server/app.ts'),
    import('#server/ops/settings.ts'),
  ])
  const settings = readSettings({ DATABASE_URL: databaseUrl, ENRICHMENT_PROVIDERS: 'none' })
  const database = await openDatabase(settings, quietLog, (reason) => {
    throw reason
  })
  const app = await buildApp({ database, settings, log: quietLog })
  const record = async ({ method, path, body }: Request): Promise<Recorded> => {
    tape.begin()
    const answer = await app.inject({
      method,
      url: path,
      headers,
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    const groups = tape.end()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${answer.body}`)
    const kept = ['content-type', 'x-total-count', 'link'].flatMap((name) => {
      const value = answer.headers[name]
      return value === undefined ? [] : [[name, String(value)]]
    })
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(kept),
      body: answer.body,
      groups: withNewIds(groups),
    }
  }
  const recorded: Record<string, Recorded[]> = {}
  for (const { name, requests } of calls) {
    recorded[name] = []
    for (const request of requests) recorded[name].push(await record(request))
  }
  await app.close()
  await database.close()
  tape.stop()
  return recorded
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The first id in an insert is that of the new row. Later occurrences refer to that row. */
function withNewIds(groups: Statement[][]): Statement[][] {
  const insert = groups.flat().find(({ text }) => text.startsWith('insert into'))
  const made = insert?.values.find((value) => typeof value === 'string' && UUID.test(value))
  if (made === undefined) return groups
  return groups.map((group) =>
    group.map(({ values, ...statement }) => ({
      ...statement,
      values: values.map((value) => (value === made ? NEW_ID : value)),
    })),
  )
}
