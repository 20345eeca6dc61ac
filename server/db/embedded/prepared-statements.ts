import { type PGlite, parse, protocol, type Results } from '@electric-sql/pglite'
import type { RowMode } from './messages.ts'

type Kept = { name: string; types: number[] }
type Statement = { sql: string; params: unknown[]; rowMode: RowMode }

const { bind, describe, execute, parse: prepare, sync } = protocol.serialize

/**
 * Statements that are prepared when they first come, and planned once, as far as PostgreSQL likes. PGlite parses and plans
 * each statement anew, in six messages one after the other; that is most of what a small one costs. Nothing else may be
 * asked of the database meanwhile.
 */
export function createPreparedStatements(db: PGlite) {
  const kept = new Map<string, Kept>()

  async function keep(sql: string): Promise<Kept> {
    const name = `kept_${kept.size}`
    const messages = [prepare({ name, text: sql }), describe({ type: 'S', name }), sync()]
    const types = parse.parseDescribeStatementResults(await db.execProtocolStream(Buffer.concat(messages)))
    const statement = { name, types }
    kept.set(sql, statement)
    return statement
  }

  return {
    /** As `query` of PGlite does. */
    async query({ sql, params, rowMode }: Statement): Promise<Results> {
      const { name, types } = kept.get(sql) ?? (await keep(sql))
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
