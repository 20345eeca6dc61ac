import pg from 'pg'

/** A statement as the driver received it, by its name if it is prepared. */
export type Statement = { name?: string; text: string; values: unknown[] }

/** Statements that only begin or end a transaction, or prepare a new connection. */
const CONTROL = /^((begin|commit|rollback|savepoint|release)\b|select pg_is_in_recovery\(\))/i

/**
 * Records the statements of every pool of this process, and of transactions, from `begin` to `end`. Statements that
 * begin before another has ended were sent together, and form one group.
 */
export function startTape() {
  const originals = { pool: pg.Pool.prototype.query, client: pg.Client.prototype.query }
  let groups: Statement[][] = []
  let underWay = 0
  // biome-ignore lint/suspicious/noExplicitAny: the driver has a dozen ways of being called, and all pass through here
  const taped = (original: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    function (this: unknown, ...given: any[]): any {
      const [query, values] = given
      const text = query.text ?? query
      // A pool calls its client with a callback, and its statement is already recorded.
      const isAsked = typeof text === 'string' && typeof given.at(-1) !== 'function' && !CONTROL.test(text)
      if (!isAsked) return original.apply(this, given)
      // One of before may still be under way.
      if (underWay === 0 || groups.length === 0) groups.push([])
      groups.at(-1)?.push({ name: query.name, text, values: values ?? query.values ?? [] })
      underWay += 1
      return original.apply(this, given).finally(() => {
        underWay -= 1
      })
    }
  pg.Pool.prototype.query = taped(originals.pool)
  pg.Client.prototype.query = taped(originals.client)
  return {
    begin: () => {
      groups = []
    },
    end: () => groups,
    stop: () => {
      pg.Pool.prototype.query = originals.pool
      pg.Client.prototype.query = originals.client
    },
  }
}
