import type { Database } from '#server/db/database.ts'
import { type Facts, history } from '#server/db/schema.ts'
import type { Actor, From } from './acting.ts'

/** One thing that somebody did, or was refused. `by` is as much of the actor as is known; nobody's is the product's own. */
export type Deed = {
  action: string
  by?: { [Part in keyof Actor]?: Actor[Part] | undefined } | undefined
  kind?: string | undefined
  objectId?: string | undefined
  result?: 'done' | 'refused'
  before?: Facts
  after?: Facts
  detail?: Facts
}

/**
 * Writes down what no trigger can see: sign-ins, accounts, exports, refusals. With a transaction for `db` it stands and
 * falls with the change that it tells of. Nothing secret belongs in it: it is never removed.
 */
export async function recordHistory(db: Database, { by, ...deed }: Deed): Promise<void> {
  await db.insert(history).values({
    ...deed,
    accountId: by?.id,
    accountEmail: by?.email,
    ip: by?.ip,
    requestId: by?.requestId,
  })
}

/** Writes down what somebody did with their own account. */
export const recordOwnDeed = (
  db: Database,
  action: string,
  { id, email }: { id: string; email: string },
  from: From,
): Promise<void> => recordHistory(db, { action, by: { id, email, ...from }, kind: 'account', objectId: id })
