import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AuditAction } from '#contract/audit-actions.ts'
import type { AuditEntry } from './entries.ts'

/**
 * The action of a route in the words of the audit log. Each route that changes anything declares it in its `config`.
 * `isWritten`: the act writes its own entries, about the accounts of others.
 */
type DeclaredAction = { action: AuditAction; kind?: string; isWritten?: true }

declare module 'fastify' {
  interface FastifyContextConfig {
    audit?: DeclaredAction
  }
}

/** The action that a request attempted; `request` for a route that declares none, such as one that only reads. */
export function attemptedAction({
  routeOptions,
  params,
}: FastifyRequest): Omit<DeclaredAction, 'isWritten'> & Pick<AuditEntry, 'objectId'> {
  const { id } = (params ?? {}) as { id?: unknown }
  const { isWritten, ...audit }: DeclaredAction = routeOptions.config.audit ?? { action: 'request' }
  return { ...audit, objectId: z.uuid().safeParse(id).data }
}
