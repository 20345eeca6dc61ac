import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { countOpinions } from '#server/opinions/store.ts'
import type { PresentedKind } from './present.ts'
import type { RecordRow } from './row.ts'

/** The answer of one record. It has the number of opinions given, if there are any, which no list has. */
export async function presentAlone(
  db: Database,
  kind: PresentedKind,
  caller: Account,
  row: RecordRow,
): Promise<object> {
  const presented = kind.present(caller, row)
  return row.hasOpinions ? { ...presented, opinionCount: await countOpinions(db, row.id) } : presented
}
