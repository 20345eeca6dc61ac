import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '#server/db/database.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
let client: TestClient
const original = pg.Client.prototype.query
beforeAll(async () => {
  test = await startTestApp()
  client = (await fellowOf(test)).client
})
afterEach(() => {
  pg.Client.prototype.query = original
})
afterAll(() => test?.close())

/**
 * Breaks the connection of a transaction before its nth statement, like a killed process. Returns whether the
 * transaction had that many statements.
 */
function breakAt(number: number) {
  let asked = 0
  let isBroken = false
  let own: unknown
  // biome-ignore lint/suspicious/noExplicitAny: the driver has a dozen ways of being called
  pg.Client.prototype.query = function (this: any, ...given: any[]): any {
    const text = String(given[0]?.text ?? given[0])
    if (asked === 0 && /^begin/i.test(text)) own = this
    if (own === this) asked += 1
    if (own === this && asked === number) {
      isBroken = true
      this.connection.stream.destroy()
    }
    // The pool reuses the connection.
    if (/^commit/i.test(text)) own = undefined
    return original.apply(this, given as Parameters<typeof original>)
  }
  return () => {
    pg.Client.prototype.query = original
    return isBroken
  }
}

/** All record data, without counters that rise with every change. */
const state = async () =>
  Promise.all(
    ['records', 'notes', 'finders', 'record_members', 'counters', 'merges', 'audit_log', 'idempotency_keys'].map(
      (table) => rowsOf(test.db, sql.raw(`select to_jsonb(t) - 'updated_at' as row from ${table} t order by t::text`)),
    ),
  )

const add = async (name: string) => {
  const { body } = await client.post('/api/founders', { name, linkedIn: `https://x.example/${name}`, notes: name })
  await client.post(`/api/notes/founder/${body.id}`, { content: 'Noted' })
  return body
}

/** Breaks each statement of a call in turn. The state must not change until a call has fewer statements. */
async function breakEach(call: () => Promise<{ status: number }>) {
  const before = await state()
  for (let number = 1; ; number += 1) {
    const wasBroken = breakAt(number)
    const { status } = await call()
    if (!wasBroken()) {
      expect(status).toBe(200)
      expect(number).toBeGreaterThan(10)
      return
    }
    expect([number, status]).toEqual([number, 503])
    expect(await state()).toEqual(before)
  }
}

describe('A connection that breaks at any statement leaves the previous state', () => {
  it('of a merge and of its undo', async () => {
    const [a, b] = [await add('Ada'), await add('Ida')]
    const versions = { [a.id]: 1, [b.id]: 1 }
    await breakEach(() => client.post('/api/records/merge', { survivorId: b.id, duplicateId: a.id, versions }))
    const [merge] = await rowsOf<{ id: string }>(test.db, sql`select id from merges`)
    await breakEach(() => client.post(`/api/merges/${merge?.id}/undo`, {}))
  })
})
