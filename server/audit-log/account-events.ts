import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#server/db/database.ts'
import { originOf } from './actor.ts'
import { recordAccountEvent } from './entries.ts'

/** Records what a signed-in person did with their account, once it is done: password, second factor, sessions. */
export async function auditAccountEvent(db: Database, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const account = request.session?.account
  // The method first: every answer passes here, and Fastify builds `routeOptions` each time they are read.
  if (request.method === 'GET' || reply.statusCode >= 300 || account === undefined) return
  const { audit } = request.routeOptions.config
  if (audit?.kind !== 'account') return
  await recordAccountEvent(db, audit.action, account, originOf(request)).catch((error) =>
    request.log.warn({ err: error }, 'A change of an account could not be written to the audit log'),
  )
}
