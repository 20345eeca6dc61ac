import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'

const TRIGGERS = [
  ['records', 'records_audited'],
  ['notes', 'notes_audited'],
] as const

/** Fills tables as one transaction without an audit log, because no person made these changes. */
export const withoutHistory = (db: Database, fill: (tx: Database) => Promise<void>): Promise<void> =>
  db.transaction(async (tx) => {
    const turn = async (way: 'disable' | 'enable') => {
      for (const [table, trigger] of TRIGGERS) {
        await tx.execute(sql.raw(`alter table ${table} ${way} trigger ${trigger}`))
      }
    }
    await turn('disable')
    await fill(tx)
    await turn('enable')
  })
