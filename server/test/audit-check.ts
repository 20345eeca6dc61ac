import { entryOf } from '#contract/audit-actions.ts'
import { refusedDetail } from '#contract/audit-entry.ts'
import { searchAuditLog } from '#server/audit-log/search.ts'
import type { Database } from '#server/db/database.ts'
import { presentAct } from '#server/programme/history/present.ts'
import { namesOf } from '#server/programme/history/store.ts'

// Checks every entry that a test has written against the list of actions: its action, the shape of its detail, and its
// sentence. The product is not aware of this.

const READ_MAX = 2_000
/** `server/record-features.test.ts` has a table of its own. */
const OF_TESTS = ['add-reminder', 'update-reminder', 'delete-reminder']
const NOT_A_WORD = /undefined|null|NaN|\[object|\{other\}|[0-9a-f]{8}-[0-9a-f]{4}-/

/** Throws for entries that the list of actions does not describe. */
export async function checkAuditLog(db: Database): Promise<void> {
  const rows = await searchAuditLog(db, {}, READ_MAX)
  const names = await namesOf(db, rows)
  const wrong = rows.flatMap((row) => {
    if (OF_TESTS.includes(row.action)) return []
    const entry = entryOf(row.action)
    if (entry === undefined) return [`“${row.action}” is no action of contract/audit-actions.ts`]
    const shape = row.result === 'refused' ? refusedDetail : entry.detail
    const { error } = row.detail === null ? {} : shape.safeParse(row.detail)
    const { sentence } = presentAct(row, names)
    return [
      ...(error ? [`The detail of ${row.action}: ${JSON.stringify(row.detail)}: ${error.message}`] : []),
      ...(NOT_A_WORD.test(sentence) ? [`The sentence of ${row.action}: ${sentence}`] : []),
    ]
  })
  if (wrong.length > 0) throw new Error([...new Set(wrong)].slice(0, 10).join('\n'))
}
