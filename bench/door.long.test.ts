import type { Client } from '@modelcontextprotocol/client'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { kinds } from '#contract/kinds.ts'
import { sortNames } from '#contract/record.ts'
import { setTokenChoice } from '#server/auth/tokens/store.ts'
import { rowsOf } from '#server/db/database.ts'
import { ANSWER_MAX } from '#server/mcp/present.ts'
import { callTool, connectTo } from '#server/mcp/test/door.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { show } from '#server/test/figures.ts'
import { caller } from '#server/test/http-caller.ts'
import { type PostgresServer, startPostgres } from '#server/test/postgres-server.ts'
import { type Product, startProduct } from './product.ts'
import { loadPostgres, openWorld } from './world.ts'

// `LONG=1`, or `npm run test:long -- measured`. Everything is on this machine, and ends with this run.

const FOUNDERS = Number(process.env.FOUNDERS ?? 100_000)
const LONGEST = '語'.repeat(10_000)

let postgres: PostgresServer
let product: Product
/** Each has a token, which makes at most 300 calls a minute. */
let lister: Client
let reader: Client
/** Of records with the most and the longest notes. */
let longest: string[]
beforeAll(async () => {
  postgres = await startPostgres({ durable: true, overNetwork: true })
  const place = { DATABASE_URL: postgres.url('postgres') }
  const { email } = await loadPostgres(place.DATABASE_URL, FOUNDERS, show)
  const database = await openWorld(place)
  const { db } = database
  await db.execute(
    sql`update records set notes = ${LONGEST} where id in (select id from records order by id desc limit 2000)`,
  )
  const most = sql`select id from records order by notes_count desc, id desc limit`
  longest = (await rowsOf<{ id: string }>(db, sql`${most} 15`)).map(({ id }) => id)
  await db.execute(sql`update notes set content = ${LONGEST} where record_id in (${most} 500)`)
  await setTokenChoice(db, { allowed: 'all', assistant: true })
  await database.execute('vacuum analyze')
  await database.close()
  product = await startProduct({ ...place, LOG_LEVEL: 'silent' })
  const { call } = caller()
  await call(product, 'GET', '/auth/me')
  await call(product, 'POST', '/auth/login', { email, password: PASSWORD })
  const connect = async (name: string) => {
    const made = await call(product, 'POST', '/account/tokens', { name, scopes: ['read', 'export'], days: 30 })
    const { token } = (await made.json()) as { token: string }
    return connectTo(new URL('/mcp', product.url), token)
  }
  lister = await connect('Lister')
  reader = await connect('Reader')
}, 3_600_000)
afterAll(async () => {
  await product?.end('SIGKILL')
  await postgres?.stop()
})

it(`Each answer has at most 8,000 tokens, over ${FOUNDERS} founders with long notes`, {
  timeout: 600_000,
}, async () => {
  const sizes: Record<string, number> = {}
  const took: Record<string, number> = {}
  async function ask(assistant: Client, name: string, given: object) {
    const began = performance.now()
    const { isError, text, answer } = await callTool(assistant, name, given)
    expect([name, given, isError && answer]).toEqual([name, given, false])
    took[name] = Math.max(took[name] ?? 0, performance.now() - began)
    sizes[name] = Math.max(sizes[name] ?? 0, Buffer.byteLength(text))
    return answer
  }
  const ids: string[] = []
  for (const { name: kind } of kinds) {
    for (const sort of sortNames) {
      for (let page = 0, cursor: string | undefined; page < 3; page += 1) {
        const listed = await ask(lister, 'list_records', { kind, sort, ...(cursor !== undefined && { cursor }) })
        ids.push(...listed.records.slice(0, 2).map(({ id }: { id: string }) => id))
        cursor = listed.cursor
      }
    }
    await ask(lister, 'get_pipeline', { kind })
    const [first] = (await ask(lister, 'list_records', { kind })).records
    await ask(lister, 'find_duplicates', { kind, name: first.theirWords.name })
  }
  for (const words of ['a', 'ai', 'data', '語', 'no such words']) await ask(lister, 'search', { words })
  for (const id of [...longest, ...ids.slice(0, 5)]) {
    await ask(reader, 'get_record', { id })
    const { cursor } = await ask(reader, 'read_notes', { id })
    if (cursor !== undefined) await ask(reader, 'read_notes', { id, cursor })
  }
  await ask(lister, 'propose', {
    acts: ids.slice(0, 20).map((record) => ({ act: 'add_note', record, note: '語'.repeat(50) })),
  })
  for (const [name, size] of Object.entries(sizes))
    show(`${name}: at most ${size} bytes, slowest ${(took[name] as number).toFixed(0)} ms`)
  expect(Object.keys(sizes)).toHaveLength(7)
  expect(Math.max(...Object.values(sizes))).toBeLessThanOrEqual(ANSWER_MAX)
})
