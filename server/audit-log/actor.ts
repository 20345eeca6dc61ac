import { sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Database } from '#server/db/database.ts'

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
    const setting = JSON.stringify(actor ? onlyActor(actor) : {})
    await tx.execute(sql`select set_config('sourcebook.actor', ${setting}, true)`)
    return work(tx)
  })
}
