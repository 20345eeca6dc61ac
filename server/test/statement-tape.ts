import pg from 'pg'

/** A statement as it reached the driver, under its name if it is prepared. */
export type Statement = { name?: string; text: string; values: unknown[] }

/**
 * Writes down what is asked of PostgreSQL through any pool of this process, from `begin` to `end`: statements that begin
 * before another has ended were sent at once, and are one group.
 */
export function startTape() {
  const original = pg.Pool.prototype.query
  let groups: Statement[][] = []
  let underWay = 0
  // biome-ignore lint/suspicious/noExplicitAny: the driver has a dozen ways of being called, and all pass through here
  pg.Pool.prototype.query = function (this: pg.Pool, ...given: any[]): any {
    const [query, values] = given
    const statement = { name: query.name, text: query.text ?? query, values: values ?? query.values ?? [] }
    if (underWay === 0) groups.push([])
    groups.at(-1)?.push(statement)
    underWay += 1
    // biome-ignore lint/suspicious/noExplicitAny: as above
    return (original as any).apply(this, given).finally(() => {
      underWay -= 1
    })
  }
  return {
    begin: () => {
      groups = []
    },
    end: () => groups,
    stop: () => {
      pg.Pool.prototype.query = original
    },
  }
}
