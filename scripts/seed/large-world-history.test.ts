import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditLog } from '#server/db/schema.ts'
import { makeFounder } from '#server/test/factories.ts'
import { openTestDatabase, type TestDatabase } from '#server/test/test-database.ts'
import { loadLargeWorld } from './load-large-world.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(() => database.close())

describe('A large world starts without an audit log, and records later changes', () => {
  const expectHistoryFromNow = async () => {
    const { db } = database
    expect(await db.select().from(auditLog)).toEqual([])
    await makeFounder(db)
    expect(await db.select().from(auditLog)).toMatchObject([{ action: 'create' }])
  }

  it('when it is large', { tags: 'slow' }, async () => {
    await loadLargeWorld(database, { founders: 20, companies: 5, notes: 30, fellows: 3 })
    await expectHistoryFromNow()
  })
})
