import { monitorEventLoopDelay } from 'node:perf_hooks'
import { and, eq, sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedClient, openEmbedded } from './client.ts'
import { drizzleOn } from './drizzle.ts'
import type { Work } from './messages.ts'
import { keepStatistics } from './statistics.ts'
import { neverLost, open, silent } from './test/worlds.ts'
import { keepLogShort } from './write-ahead-log.ts'

const people = pgTable('people', {
  id: integer().primaryKey(),
  name: text().notNull().unique(),
  metAt: timestamp('met_at', { withTimezone: true }),
  tags: text().array(),
  facts: jsonb(),
  isKnown: boolean('is_known'),
})

const createPeople = `create table people (
  id int primary key, name text not null unique, met_at timestamptz, tags text[], facts jsonb, is_known boolean)`

const options = { folder: undefined, statementTimeoutMs: 60_000, onLost: neverLost, log: silent }

/** Opening takes a second: tests that do not close it share one database, emptied before each. */
let shared: EmbeddedClient
let empty: Blob
beforeAll(async () => {
  shared = await openEmbedded(options)
  empty = await shared.dump()
  return () => shared.close()
}, 120_000)

async function world(client = shared) {
  await client.exec(`drop schema public cascade; create schema public; ${createPeople}`)
  return { client, db: drizzleOn(client) }
}

const ada = { id: 1, name: 'Ada' }
const ben = { id: 2, name: 'Ben' }

describe('Statements by Drizzle', () => {
  it('returns the stored values', async () => {
    const { db } = await world()
    const full = {
      ...ada,
      metAt: new Date('2026-02-03T04:05:06.789Z'),
      tags: ['a "b"', 'c,d'],
      facts: { deep: [1, { x: null }] },
      isKnown: true,
    }
    await db.insert(people).values(full)
    expect(await db.select().from(people)).toEqual([full])
  })

  it('returns times of raw statements as PostgreSQL writes them, and rows as arrays on demand', async () => {
    const { client } = await world()
    const statement = "select timestamptz '2026-02-03 04:05:06+00' as at, 1 as one"
    expect((await client.query(statement)).rows).toEqual([{ at: '2026-02-03 04:05:06+00', one: 1 }])
    expect((await client.query(statement, [], { rowMode: 'array' })).rows).toEqual([['2026-02-03 04:05:06+00', 1]])
  })

  it('runs statements in the order of the calls, without a wait between them', async () => {
    const { client } = await world()
    await client.exec('create table steps (n serial, asked int)')
    await Promise.all(Array.from({ length: 100 }, (_, i) => client.query('insert into steps (asked) values ($1)', [i])))
    const { rows } = await client.query<{ asked: number }>('select asked from steps order by n')
    expect(rows.map(({ asked }) => asked)).toEqual(Array.from({ length: 100 }, (_, i) => i))
  })
})

describe('A prepared statement', () => {
  const runs = async (client: EmbeddedClient) =>
    (
      await client.query<{ runs: number }>(
        'select (generic_plans + custom_plans)::int as runs from pg_prepared_statements',
      )
    ).rows.map((row) => row.runs)

  it('is parsed once, and returns the same as any other', async () => {
    const { client, db } = await world(await open({ snapshot: empty }))
    const metAt = new Date('2026-02-03T04:05:06.789Z')
    const full = { ...ada, metAt, tags: ['a "b"', 'c,d'], facts: { deep: [1, { x: null }] }, isKnown: true }
    await db.insert(people).values([full, ben])
    const alike = db
      .select()
      .from(people)
      .where(
        and(
          sql`${people.id} = any (${sql.placeholder('ids')})`,
          sql`${people.metAt} is not distinct from ${sql.placeholder('metAt')}`,
          sql`${people.isKnown} is not distinct from ${sql.placeholder('isKnown')}`,
          sql`${people.facts} is not distinct from ${sql.placeholder('facts')}`,
        ),
      )
      .prepare('alike')
    const { facts, isKnown } = full
    const row = { ids: [1, 2], metAt: metAt.toISOString(), isKnown, facts }
    for (let time = 0; time < 3; time += 1) expect(await alike.execute(row)).toEqual([full])
    const untold = { ids: [2], metAt: null, isKnown: null, facts: null }
    expect(await alike.execute(untold)).toEqual([{ ...ben, metAt: null, tags: null, facts: null, isKnown: null }])
    expect(await runs(client)).toEqual([4])
  })

  it('fails with the same error as any other, and can run again', async () => {
    const { db } = await world(await open({ snapshot: empty }))
    const share = db
      .select({ share: sql<number>`1 / ${sql.placeholder('by')}::int` })
      .from(people)
      .prepare('share')
    await db.insert(people).values(ada)
    await expect(share.execute({ by: 0 })).rejects.toMatchObject({ cause: { code: '22012' } })
    await expect(share.execute({ by: 'x' })).rejects.toMatchObject({ cause: { code: '22P02' } })
    expect(await share.execute({ by: 1 })).toEqual([{ share: 1 }])
    const gone = db.select({ nothing: sql`nothing` }).from(people).prepare('gone')
    await expect(gone.execute()).rejects.toMatchObject({ cause: { code: '42703' } })
    await expect(gone.execute()).rejects.toMatchObject({ cause: { code: '42703' } })
  })

  it('sees earlier changes, and is planned again for a table that has changed', async () => {
    const { client, db } = await world(await open({ snapshot: empty }))
    const all = db.select({ name: people.name }).from(people).prepare('all')
    expect(await all.execute()).toEqual([])
    await db.insert(people).values(ada)
    expect(await all.execute()).toEqual([{ name: 'Ada' }])
    await client.exec(`drop table people; ${createPeople}`)
    expect(await all.execute()).toEqual([])
  })
})

describe('A failed statement', () => {
  it('carries the fields of the PostgreSQL error', async () => {
    const { client } = await world()
    await client.query("insert into people (id, name) values (1, 'Ada')")
    await expect(client.query("insert into people (id, name) values (2, 'Ada')")).rejects.toMatchObject({
      message: 'duplicate key value violates unique constraint "people_name_key"',
      code: '23505',
      detail: 'Key (name)=(Ada) already exists.',
      table: 'people',
      constraint: 'people_name_key',
    })
    await expect(client.query('insert into people (id) values (3)')).rejects.toMatchObject({
      code: '23502',
      column: 'name',
    })
  })

  it('is the cause of the error that Drizzle throws', async () => {
    const { db } = await world()
    await db.insert(people).values(ada)
    await expect(db.insert(people).values(ada)).rejects.toMatchObject({ cause: { code: '23505' } })
  })

  it('does not disturb the others, even when a parameter cannot be sent', async () => {
    const { client } = await world()
    const [bad, unsendable, good] = await Promise.allSettled([
      client.query('selec'),
      client.query('select $1', [() => {}]),
      client.query('select 1 as one'),
    ])
    expect(bad.status).toBe('rejected')
    expect(unsendable.status).toBe('rejected')
    expect(good).toMatchObject({ value: { rows: [{ one: 1 }] } })
  })

  it('leaves no transaction open that it began', async () => {
    const { client } = await world()
    const failing = "begin; insert into people (id, name) values (1, 'Ada'); select 1 / 0; commit"
    await expect(client.exec(failing)).rejects.toMatchObject({ code: '22012' })
    await expect(client.exec('begin')).rejects.toMatchObject({ code: '25001' })
    expect((await client.query('select * from people')).rows).toEqual([])
  })
})

describe('A transaction', () => {
  it('commits everything, or nothing when its function throws', async () => {
    const { db } = await world()
    await db.transaction(async (tx) => {
      await tx.insert(people).values(ada)
    })
    const failing = db.transaction(async (tx) => {
      await tx.insert(people).values(ben)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect((await db.select().from(people)).map(({ name }) => name)).toEqual(['Ada'])
  })

  it('rolls back only the inner part when that fails', async () => {
    const { db } = await world()
    await db.transaction(async (tx) => {
      await tx.insert(people).values(ada)
      await tx
        .transaction(async (inner) => {
          await inner.insert(people).values(ben)
          await inner.insert(people).values(ben)
        })
        .catch(() => {})
      await tx.update(people).set({ isKnown: true }).where(eq(people.id, 1))
    })
    expect(await db.select().from(people)).toMatchObject([{ name: 'Ada', isKnown: true }])
  })

  it('is invisible to statements sent before it commits', async () => {
    const { db } = await world()
    const begun = Promise.withResolvers<void>()
    const writing = db.transaction(async (tx) => {
      await tx.insert(people).values(ada)
      begun.resolve()
      await new Promise((resolve) => setTimeout(resolve, 50))
      throw new Error('changed my mind')
    })
    await begun.promise
    const [seen] = await Promise.all([db.select().from(people), expect(writing).rejects.toThrow()])
    expect(seen).toEqual([])
  })

  it('is refused when it would commit after a failed statement', async () => {
    const { client } = await world()
    const swallowing = client.transaction(async (tx) => {
      await tx.query('select 1 / 0').catch(() => {})
    })
    await expect(swallowing).rejects.toMatchObject({ code: '25P02' })
  })

  it('loses no increment when many run at the same time', async () => {
    const { db } = await world()
    await db.insert(people).values({ ...ada, facts: 0 })
    const step = () =>
      db.transaction(async (tx) => {
        const [row] = await tx.select().from(people)
        await tx.update(people).set({ facts: Number(row?.facts) + 1 })
      })
    await Promise.all(Array.from({ length: 20 }, step))
    expect(await db.select({ facts: people.facts }).from(people)).toEqual([{ facts: 20 }])
  })

  it('is rolled back when it keeps others waiting', { timeout: 60_000 }, async () => {
    const { client } = await world(await open({ snapshot: empty, idleTransactionMs: 200 }))
    let late: unknown
    const idling = client.transaction(async (tx) => {
      await tx.query("insert into people (id, name) values (1, 'Ada')")
      await new Promise((resolve) => setTimeout(resolve, 600))
      late = await tx.query('select 1').catch((error) => error)
    })
    await expect(idling).rejects.toMatchObject({ code: '25P03' })
    expect(late).toMatchObject({ code: '25P03' })
    expect((await client.query('select * from people')).rows).toEqual([])
  })
})

describe('Listening', () => {
  it('receives notifications of others once they commit, until it stops', async () => {
    const { client, db } = await world()
    const received: string[] = []
    const stop = await client.listen('Records', (payload) => received.push(payload))
    await client.query("select pg_notify('Records', 'one')")
    await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_notify('Records', 'two')`)
      expect(received).toEqual(['one'])
    })
    expect(received).toEqual(['one', 'two'])
    await stop()
    await client.query("select pg_notify('Records', 'three')")
    expect(received).toEqual(['one', 'two'])
  })
})

describe('A query of seconds', () => {
  it('does not block the rest of the process', async () => {
    const { client } = await world()
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const start = performance.now()
    await client.query('select count(*) from generate_series(1, 5000000)')
    delay.disable()
    const took = Math.round(performance.now() - start)
    console.info(`A query of ${took} ms delayed the event loop by ${(delay.max / 1e6).toFixed(1)} ms at most`)
    // In the main thread, the delay would be the whole query. Compares a share, because a busy machine delays
    // everything alike.
    expect(delay.max / 1e6).toBeLessThan(took / 4)
  })
})

describe('Closing', () => {
  it('waits for running work, refuses later calls, and can be called twice', { timeout: 60_000 }, async () => {
    const client = await open({ snapshot: empty })
    const underWay = client.transaction(async (tx) => (await tx.query('select 1 as one')).rows)
    await Promise.all([client.close(), client.close()])
    expect(await underWay).toEqual([{ one: 1 }])
    await expect(client.query('select 1')).rejects.toMatchObject({ code: '57P01' })
  })
})

const postTo = (client: EmbeddedClient) =>
  ((work: Work) =>
    work.kind === 'query' ? client.query(work.sql) : client.exec((work as { sql: string }).sql)) as Parameters<
    typeof keepLogShort
  >[0]

describe('The write-ahead log', () => {
  it('is truncated by a checkpoint once it has grown', async () => {
    const { client } = await world()
    const begins = async () => (await client.query('select redo_lsn from pg_control_checkpoint()')).rows
    const before = await begins()
    const stop = keepLogShort(postTo(client), silent, 20)
    await client.exec("create table long as select repeat('x', 1000) from generate_series(1, 20000)")
    await expect.poll(begins, { timeout: 10_000 }).not.toEqual(before)
    stop()
  })
})

describe('The statistics of a table', () => {
  it('are computed once it has grown, and again when it has grown by half', async () => {
    const { client } = await world()
    const known = async () =>
      (await client.query<{ rows: number }>("select reltuples::int as rows from pg_class where relname = 'growing'"))
        .rows[0]?.rows
    await client.exec("create table growing as select repeat('x', 1000) from generate_series(1, 2000)")
    expect(await known()).toBe(-1)
    const stop = keepStatistics(postTo(client), silent, 20)
    await expect.poll(known, { timeout: 10_000 }).toBe(2000)
    await client.exec("insert into growing select repeat('x', 1000) from generate_series(1, 2000)")
    await expect.poll(known, { timeout: 10_000 }).toBe(4000)
    stop()
  })
})

describe('A dump', () => {
  it('can start another database in memory', { timeout: 60_000 }, async () => {
    const { db } = await world()
    await db.insert(people).values(ada)
    const client = await open({ snapshot: await shared.dump() })
    expect((await client.query('select id, name from people')).rows).toEqual([ada])
  })
})
