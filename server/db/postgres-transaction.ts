import { DrizzleQueryError } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { sqlState } from './database.ts'
import * as schema from './schema.ts'

type Db = ReturnType<typeof openDrizzle>

const openDrizzle = (client: pg.Pool | pg.PoolClient) => drizzle(client, { schema })

/**
 * Drizzle on a pool. Its own transaction keeps a connection for good when BEGIN fails on it, and gives back one that
 * hangs: after ten of those no request would ever get one again.
 */
export function drizzleOn(pool: pg.Pool): Db {
  const db = openDrizzle(pool)
  const onClient = new WeakMap<pg.PoolClient, Db>()
  const over = (client: pg.PoolClient) => {
    const known = onClient.get(client) ?? openDrizzle(client)
    onClient.set(client, known)
    return known
  }
  db.transaction = async (run, config) => {
    const client = await pool.connect()
    let broken: boolean | undefined
    try {
      return await over(client).transaction(run, config)
    } catch (error) {
      // What PostgreSQL refused was rolled back. After its goodbye (class 57P) a connection looks sound until the socket
      // closes, and of anything else it is not known in what state the connection is.
      broken = error instanceof DrizzleQueryError && /^(undefined|57P)/.test(`${sqlState(error)}`)
      throw error
    } finally {
      client.release(broken)
    }
  }
  return db
}
