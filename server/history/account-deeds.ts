import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#server/db/database.ts'
import { recordHistory } from './record.ts'
import { triedBy } from './tried.ts'

/** Links of mails are used by whoever holds them; who that is, the sign-in that follows says. */
const BY_LINK = ['/api/auth/verify', '/api/auth/reset/confirm']

const isDeed = ({ method, routeOptions: { url = '' } }: FastifyRequest) =>
  method !== 'GET' && (url.startsWith('/api/account/') || BY_LINK.includes(url))

/** What somebody did with an account, told once it is done: passwords, second factors, sessions, links of mails. */
export async function keepAccountDeed(db: Database, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (reply.statusCode >= 300 || !isDeed(request)) return
  const account = request.session?.account
  await recordHistory(db, {
    action: triedBy(request).action,
    by: { id: account?.id, email: account?.email, ip: request.ip, requestId: request.id },
    kind: 'account',
    objectId: account?.id,
  }).catch((error) =>
    request.log.warn({ err: error }, 'What was done with an account could not be written into history'),
  )
}
