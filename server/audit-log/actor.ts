import { type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Database, Statement } from '#server/db/database.ts'
import type { Facts } from '#server/db/schema.ts'

// Triggers write the audit log of records and notes, so that no way of changing them can bypass it. They read the actor
// from a setting of the transaction, which ends with it.

/** The account, network address and request of an action, as far as known. An account is an actor. */
export type Actor = { id: string; email: string; ip?: string | undefined; requestId?: string | undefined }

/** An act of several changes, such as a merge: its name in the audit log, and details for each of its entries. */
export type Act = { action?: string; detail?: Facts }

/** The network address and the request of an action. */
export type Origin = Omit<Actor, 'id' | 'email'>

export type NetworkOrigin = Origin & { ip: string }

export const originOf = ({ ip, id }: FastifyRequest): NetworkOrigin => ({ ip, requestId: id })

/** The parts of an actor that the audit log stores. */
export const onlyActor = ({ id, email, ip, requestId }: Actor): Actor => ({ id, email, ip, requestId })

/** Makes changes in one transaction as this actor. Without an actor, the product itself acts. */
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

/** Makes one change as this actor. `check` is an expression that may refuse it, within the same transaction. */
export const changeAs = <Result>(
  db: Database,
  actor: Actor,
  change: (tx: Database) => Statement<Result>,
  check?: SQL,
): Promise<Result> => {
  const before = check ? sql`${setActor(actor)}, ${check}` : setActor(actor)
  if (db.atOnce) return db.atOnce(before, change)
  return db.transaction(async (tx) => {
    await tx.execute(before)
    return change(tx).execute()
  })
}

const setActor = (actor: Actor | undefined, act: Act = {}) =>
  sql`select set_config('sourcebook.actor', ${JSON.stringify({ ...(actor && onlyActor(actor)), ...act })}, true)`

/** Makes what follows in a transaction of this actor part of an act. */
export async function beginAct(tx: Database, actor: Actor | undefined, act: Act): Promise<void> {
  await tx.execute(setActor(actor, act))
}
