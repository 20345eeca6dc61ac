import { sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Database, Statement } from '#server/db/database.ts'

// Triggers write the audit log of records and notes, so that no way to change them can leave it out. They learn the actor
// from a setting of the transaction, which is gone at its end.

/** Who acts, and from where and by which request, as far as there is one. An account is an actor. */
export type Actor = { id: string; email: string; ip?: string | undefined; requestId?: string | undefined }

/** Where something is done from, and by which request. */
export type Origin = Omit<Actor, 'id' | 'email'>

export type NetworkOrigin = Origin & { ip: string }

export const originOf = ({ ip, id }: FastifyRequest): NetworkOrigin => ({ ip, requestId: id })

/** Just what the audit log keeps of an actor. */
export const onlyActor = ({ id, email, ip, requestId }: Actor): Actor => ({ id, email, ip, requestId })

/** Makes changes in one transaction, as this actor; without one, as the product itself. */
export function withActor<Result>(
  db: Database,
  actor: Actor | undefined,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.execute(setActor(actor))
    return work(tx)
  })
}

/** Makes one change as this actor. */
export const changeAs = <Result>(
  db: Database,
  actor: Actor,
  change: (tx: Database) => Statement<Result>,
): Promise<Result> =>
  db.atOnce ? db.atOnce(setActor(actor), change) : withActor(db, actor, (tx) => change(tx).execute())

const setActor = (actor: Actor | undefined) =>
  sql`select set_config('sourcebook.actor', ${JSON.stringify(actor ? onlyActor(actor) : {})}, true)`
