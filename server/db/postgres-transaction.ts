import { DrizzleQueryError, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { sqlState } from '#server/sql-state.ts'
import type { AtOnce } from './database.ts'
import * as schema from './schema.ts'

type Db = ReturnType<typeof createDrizzle>

const createDrizzle = (client: pg.Pool | pg.PoolClient) => drizzle(client, { schema })

/**
 * Drizzle on a pool of pipelining clients. Drizzle's own transaction never returns a connection on which BEGIN failed,
 * and returns one that hangs: after ten of those, no request would get a connection.
 */
export function drizzleOn(pool: pg.Pool): Db & { atOnce: AtOnce } {
  const onClient = new WeakMap<pg.PoolClient, Db>()
  async function onConnection<Result>(run: (db: Db) => Promise<Result>): Promise<Result> {
    const client = await pool.connect()
    const db = onClient.get(client) ?? createDrizzle(client)
    onClient.set(client, db)
    let broken: boolean | undefined
    try {
      return await run(db)
    } catch (error) {
      // PostgreSQL has rolled back what it refused. A connection that it terminated (class 57P) looks usable until the
      // socket closes; after any other error the state of the connection is unknown.
      broken = error instanceof DrizzleQueryError && /^(undefined|57P)/.test(`${sqlState(error)}`)
      throw error
    } finally {
      client.release(broken)
    }
  }
  const atOnce: AtOnce = (before, last) =>
    onConnection(async (db) => {
      const result = last(db as never)
      const statements = [db.execute(sql`begin`), db.execute(before), result, db.execute(sql`commit`)]
      const ended = await Promise.allSettled(statements.map((statement) => statement.execute()))
      // After a failure all further statements fail for that reason only, and COMMIT rolls back.
      const failure = ended.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
      if (failure) throw failure.reason
      return (ended[2] as PromiseFulfilledResult<Awaited<ReturnType<typeof result.execute>>>).value
    })
  return Object.assign(createDrizzle(pool), {
    atOnce,
    transaction: ((run, config) => onConnection((db) => db.transaction(run, config))) as Db['transaction'],
  })
}
