import { kinds } from '#contract/kinds.ts'
import type { Database } from '#server/db/database.ts'
import { notifyChange } from '#server/records/notify.ts'

/** The lists of every kind may show tags. */
export async function notifyOfTags(tx: Database): Promise<void> {
  for (const { name } of kinds) await notifyChange(tx, { kind: name, change: 'tags' })
}
