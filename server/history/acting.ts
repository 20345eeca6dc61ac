import { type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'

// Triggers write the history of records, so that no way to change one can forget it. Who acts they learn from the very
// statement that makes the change: no further one is needed. It is forgotten at the end of the transaction.

/** Whoever acts, and where from and by which request, as far as there is one. An account is an actor. */
export type Actor = { id: string; email: string; ip?: string | undefined; requestId?: string | undefined }

/** Where something is done from, and by which request. */
export type From = Omit<Actor, 'id' | 'email'>

export type FromNetwork = From & { ip: string }

export const fromOf = ({ ip, id }: FastifyRequest): FromNetwork => ({ ip, requestId: id })

/** Just what history keeps of an actor. */
export const onlyActor = ({ id, email, ip, requestId }: Actor): Actor => ({ id, email, ip, requestId })

/** True, for the `where` of a change: it is made by this actor; without one by the product itself. */
export const actingAs = (actor: Actor | undefined): SQL<boolean> =>
  sql<boolean>`set_config('sourcebook.actor', ${JSON.stringify(actor ? onlyActor(actor) : {})}, true) <> ''`

/** The actor's id, among the values of an insert: what it adds is added by this actor. */
export const idOfActing = (actor: Actor): SQL => sql`case when ${actingAs(actor)} then ${actor.id}::uuid end`
