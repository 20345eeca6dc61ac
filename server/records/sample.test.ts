import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, OpenDatabase } from '#server/db/database.ts'
import { founders } from '#server/db/schema.ts'
import { openTestDatabase } from '#server/test/test-database.ts'
import { sampleOf } from './sample.ts'

describe('A sample of the newest texts', () => {
  let database: OpenDatabase
  beforeAll(async () => {
    database = await openTestDatabase()
    await database.db.execute(sql`
      insert into founders (id, name, linked_in, notes, rating, search_text, created_at)
      select gen_random_uuid(), 'x', 'x', 'x', 5,
        case when number % 4 = 0 then 'quarry' else repeat('long ', 120) || 'end' end, now() - number * interval '1 hour'
      from generate_series(0, 599) number`)
  })
  afterAll(() => database.close())

  /** The same database for a process of its own, whose first `failures` statements fail. */
  const processOf = (failures = 0) => {
    let left = failures
    return new Proxy(database.db, {
      get: (target, name) => {
        if (name === 'execute' && left-- > 0) return () => Promise.reject(new Error('The line is down'))
        return Reflect.get(target, name)
      },
    }) as Database
  }

  it('tells how common a term and a run are, and how close together the rows lie', async () => {
    const sample = await sampleOf(processOf(), founders)
    expect([sample.isPart, sample.rows, sample.seen('quarry'), sample.timesOf('quar')]).toEqual([true, 500, 125, 125])
    expect(sample.rowsPerMs * 3_600_000).toBeCloseTo(500 / 499, 3)
    expect(sample.until).toBeGreaterThan(Date.now() - 60_000)
  })

  it('knows long texts by their beginning only', async () => {
    const sample = await sampleOf(processOf(), founders)
    expect([sample.seen('long'), sample.seen('end')]).toEqual([375, 0])
  })

  it('is kept, one for each process', async () => {
    const process = processOf()
    const sample = sampleOf(process, founders)
    expect(sampleOf(process, founders)).toBe(sample)
    expect(sampleOf(processOf(), founders)).not.toBe(sample)
    await sample
  })

  it('that could not be taken is taken anew', async () => {
    const process = processOf(1)
    await expect(sampleOf(process, founders)).rejects.toThrow('The line is down')
    expect((await sampleOf(process, founders)).rows).toBe(500)
  })
})
