import type { FastifyRequest } from 'fastify'
import { callerOf } from '#server/auth/sessions/session.ts'
import { countReads, refuseSpent } from '#server/auth/tokens/reads.ts'
import type { App } from '#server/http/app.ts'
import { isUnsafe } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'
import { countRecords, withoutAddresses } from './answers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers with ids of records and nothing of what is in them: it reads none. */
    hasIdsOnly?: true
  }
}

/** What every call of this scope sends a token, failures too. Without the scope `export`, the records that it is about count. */
export function presentToTokens(app: App, { db }: Services): void {
  const isLimited = ({ session, routeOptions }: FastifyRequest) =>
    session?.account.token?.scopes.includes('export') === false && !routeOptions.config.hasIdsOnly

  app.addHook('preHandler', async (request) => {
    if (isUnsafe(request.method) && isLimited(request)) await refuseSpent(db, callerOf(request).id)
  })
  app.addHook('preSerialization', async (request, reply, answer) => {
    if (request.session?.account.token === undefined || answer === null) return answer
    if (isLimited(request)) {
      const ofChange = isUnsafe(request.method)
      // Its history, notes and links are of the record in the address, which they need not name.
      const about = !ofChange && reply.statusCode < 300 ? request.params : null
      const count = await countRecords(db, [answer, about])
      if (count > 0) await countReads(db, callerOf(request).id, count, ofChange)
    }
    return withoutAddresses(db, answer)
  })
}
