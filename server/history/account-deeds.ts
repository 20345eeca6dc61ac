import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#server/db/database.ts'
import { fromOf } from './acting.ts'
import { recordOwnDeed } from './record.ts'
import { triedBy } from './tried.ts'

// The method first: every answer passes here, and Fastify makes `routeOptions` anew each time they are read.
const isDeed = (request: FastifyRequest) =>
  request.method !== 'GET' && request.routeOptions.url?.startsWith('/api/account/')

/** What somebody who is signed in did with their account, told once it is done: password, second factor, sessions. */
export async function keepAccountDeed(db: Database, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const account = request.session?.account
  if (reply.statusCode >= 300 || account === undefined || !isDeed(request)) return
  await recordOwnDeed(db, triedBy(request).action, account, fromOf(request)).catch((error) =>
    request.log.warn({ err: error }, 'What was done with an account could not be written into history'),
  )
}
