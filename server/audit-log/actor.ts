import { type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { AuditAction } from '#contract/audit-actions.ts'
import type { ActDetail } from '#contract/audit-entry.ts'
import type { Database, Statement } from '#server/db/database.ts'

// Triggers write the audit log of records and notes, so that no way of changing them can bypass it. They read the actor
// from a setting of the transaction, which ends with it.

/** The account, network address, request and access token of an action, as far as known. An account is an actor. */
export type Actor = {
  id: string
  email: string
  ip?: string | undefined
  requestId?: string | undefined
  token?: { id: string } | undefined
}

/** An act of several changes, such as a merge: its name in the audit log, and details for each of its entries. */
export type Act = { action?: AuditAction; detail?: ActDetail } & Effects

/** What triggers make of the changes of an act, besides their entries. */
type Effects = {
  /** Gives back what was before: no stage counts as left or entered, and what it deletes is listed with what it undoes. */
  isUndo?: true
  /** The merge that brings stages along. They are no moves. */
  mergeId?: string
  /** The act on many records, or the import, that begins a stay in each stage. Its undo deletes them. A hand-over has one too. */
  batchId?: string
  /** Who has made whom responsible, and who has passed the record, stays as it is. */
  assignments?: 'kept'
}

export const bulkAct = (bulkId: string): Act => ({ detail: { bulkId }, batchId: bulkId })
export const undoOfBulk = (bulkId: string): Act => ({
  ...{ detail: { bulkId, isUndo: true }, isUndo: true, assignments: 'kept' },
})
export const importAct = (id: string): Act => ({ detail: { import: id }, batchId: id })
export const revertOfImport = (id: string): Act => ({
  ...{ detail: { revertedImport: id }, isUndo: true, assignments: 'kept' },
})

/** The network address and the request of an action. */
export type Origin = Omit<Actor, 'id' | 'email' | 'token'>

export type NetworkOrigin = Origin & { ip: string }

export const originOf = ({ ip, id }: FastifyRequest): NetworkOrigin => ({ ip, requestId: id })

/** The parts of an actor that the audit log stores. */
export const onlyActor = ({ id, email, ip, requestId, token }: Actor): Actor => ({
  ...{ id, email, ip, requestId },
  ...(token && { token: { id: token.id } }),
})

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
  sql`select set_config('sourcebook.actor', ${JSON.stringify({ ...(actor && settingOf(actor)), ...act })}, true)`

const settingOf = ({ id, email, ip, requestId, token }: Actor) => ({ id, email, ip, requestId, tokenId: token?.id })

/** Makes what follows in a transaction of this actor part of an act. */
export async function beginAct(tx: Database, actor: Actor | undefined, act: Act): Promise<void> {
  await tx.execute(setActor(actor, act))
}
