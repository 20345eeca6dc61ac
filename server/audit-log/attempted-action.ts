import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AuditEntry } from './entries.ts'

/** What a route does, in the words of the audit log: each route that changes anything declares it in its `config`. */
type AuditAction = { action: string; kind?: string }

declare module 'fastify' {
  interface FastifyContextConfig {
    audit?: AuditAction
  }
}

/** What a request would have done; `request` for a route that declares nothing, such as one that only reads. */
export function attemptedAction({ routeOptions, params }: FastifyRequest): AuditAction & Pick<AuditEntry, 'objectId'> {
  const { id } = (params ?? {}) as { id?: unknown }
  return { ...(routeOptions.config.audit ?? { action: 'request' }), objectId: z.uuid().safeParse(id).data }
}
