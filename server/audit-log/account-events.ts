import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#server/db/database.ts'
import { type Actor, originOf } from './actor.ts'
import { recordAccountEvent } from './entries.ts'

/** Records a finished change that a signed-in person made to their account: password, second factor, sessions. */
export async function auditAccountEvent(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  account: Actor | undefined,
): Promise<void> {
  // Checks the method first: every response passes here, and Fastify builds `routeOptions` on each access.
  if (request.method === 'GET' || reply.statusCode >= 300 || account === undefined) return
  const { audit } = request.routeOptions.config
  if (audit?.kind !== 'account' || audit.isWritten) return
  await recordAccountEvent(db, audit.action, account, originOf(request)).catch((error) =>
    request.log.warn({ err: error }, 'A change of an account could not be written to the audit log'),
  )
}
