import { type PGlite, parse, protocol, type Results } from '@electric-sql/pglite'
import type { RowMode } from './messages.ts'

type Prepared = { name: string; types: number[] }
type Statement = { sql: string; params: unknown[]; rowMode: RowMode }

const { bind, describe, execute, parse: prepare, sync } = protocol.serialize

/**
 * Prepares statements the first time they run, and lets PostgreSQL keep their plans. PGlite parses and plans each
 * statement again, in six messages one after the other, which is most of the cost of a small one. No other statement
 * may run at the same time.
 */
export function createPreparedStatements(db: PGlite) {
  const prepared = new Map<string, Prepared>()

  async function prepareStatement(sql: string): Promise<Prepared> {
    const name = `prepared_${prepared.size}`
    const messages = [prepare({ name, text: sql }), describe({ type: 'S', name }), sync()]
    const types = parse.parseDescribeStatementResults(await db.execProtocolStream(Buffer.concat(messages)))
    const statement = { name, types }
    prepared.set(sql, statement)
    return statement
  }

  return {
    /** Like `query` of PGlite. */
    async query({ sql, params, rowMode }: Statement): Promise<Results> {
      const { name, types } = prepared.get(sql) ?? (await prepareStatement(sql))
      const values = params.map((param, index) => {
        if (param === null || param === undefined) return null
        return db.serializers[types[index] as number]?.(param) ?? String(param)
      })
      const messages = [bind({ statement: name, values }), describe({ type: 'P' }), execute({}), sync()]
      const answer = await db.execProtocolStream(Buffer.concat(messages))
      return parse.parseResults(answer, db.parsers, { rowMode })[0] as Results
    },
  }
}

export type PreparedStatements = ReturnType<typeof createPreparedStatements>
