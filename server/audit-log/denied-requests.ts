import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AuditAction } from '#contract/audit-actions.ts'
import { email } from '#contract/auth.ts'
import type { Database } from '#server/db/database.ts'
import { isUnsafe } from '#server/http/head.ts'
import { networkKey } from '#server/http/network-key.ts'
import type { Log } from '#server/log.ts'
import type { Actor } from './actor.ts'
import { type AuditEntry, type DeniedEntry, recordAuditEntry } from './entries.ts'
import { recordVisitorDenied } from './visitors-denied.ts'

// Denied requests of accounts belong in the audit log. Those of visitors who are not signed in have a table of their
// own and are deleted later. Anyone can cause them, so each minute only the first requests of each caller, and the
// first of all visitors, are written one by one. The rest are counted and written as one row per caller when the minute
// ends. Visitors cause at most MINUTE_OF_ALL + CALLERS_MAX rows per minute and process.

const MINUTE_MS = 60_000
const MINUTE_OF_ONE = 20
const MINUTE_OF_ALL = 100
/** The number of visitors who are counted separately in one minute. The rest share one counter. */
const CALLERS_MAX = 200
const OTHERS = 'others'

/** Requests denied for missing rights or rate limits: 403, 429, and changes without a session. */
const isDenied = ({ method }: FastifyRequest, status: number) =>
  status === 403 || status === 429 || (status === 401 && isUnsafe(method))

type Count = { by: DeniedEntry['by']; written: number; more: number }

export type DeniedRequests = ReturnType<typeof createDeniedRequests>

/** Records denied requests. A failure to record one never changes its response. */
export function createDeniedRequests({ db, log }: { db: Database; log: Log }) {
  let counts = new Map<string, Count>()
  let anonymous = 0

  const write = (entry: DeniedEntry) =>
    (entry.by?.id === undefined
      ? recordVisitorDenied(db, entry)
      : recordAuditEntry(db, { ...entry, result: 'refused' })
    ).catch((error) => log.warn({ err: error }, 'A denied request could not be recorded'))

  const countOf = (request: FastifyRequest, account: Actor | undefined): Count => {
    const own = account ? account.id : networkKey(request.ip)
    // A signed-in caller is always counted separately, so that noise cannot hide what a fellow attempted.
    const key = account || counts.has(own) || counts.size < CALLERS_MAX ? own : OTHERS
    const by = account ? { id: account.id, email: account.email } : { ip: key === OTHERS ? undefined : key }
    const count = counts.get(key) ?? { by, written: 0, more: 0 }
    counts.set(key, count)
    return count
  }

  const writeRest = async () => {
    const over = counts
    counts = new Map()
    anonymous = 0
    for (const { by, more } of over.values()) {
      if (more > 0) await write({ action: 'request', by, detail: { more, within: '1 minute' } })
    }
  }
  const minute = setInterval(() => void writeRest(), MINUTE_MS).unref()

  return {
    /** Call it before the response is sent. */
    async record(request: FastifyRequest, reply: FastifyReply, account: Actor | undefined): Promise<void> {
      if (!isDenied(request, reply.statusCode)) return
      const count = countOf(request, account)
      const isAnonymous = account === undefined
      if (count.written >= MINUTE_OF_ONE || (isAnonymous && anonymous >= MINUTE_OF_ALL)) {
        count.more += 1
        return
      }
      count.written += 1
      if (isAnonymous) anonymous += 1
      await write({
        ...attemptedAction(request),
        by: {
          id: account?.id,
          email: account?.email ?? typedEmail(request),
          ip: request.ip,
          requestId: request.id,
          token: account?.token,
        },
        detail: {
          method: request.method,
          path: request.url.replace(/\?.*/s, '').slice(0, 200),
          status: reply.statusCode,
        },
      })
    },

    async close(): Promise<void> {
      clearInterval(minute)
      await writeRest()
    },
  }
}

/** The address that was entered at sign-in. */
const typedEmail = ({ body, routeOptions }: FastifyRequest): string | undefined => {
  if (!routeOptions.url?.startsWith('/api/auth/')) return undefined
  return email.safeParse((body as { email?: unknown } | null | undefined)?.email).data?.toLowerCase()
}

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
function attemptedAction({
  routeOptions,
  params,
}: FastifyRequest): Omit<DeclaredAction, 'isWritten'> & Pick<AuditEntry, 'objectId'> {
  const { id } = (params ?? {}) as { id?: unknown }
  const { isWritten, ...audit }: DeclaredAction = routeOptions.config.audit ?? { action: 'request' }
  return { ...audit, objectId: z.uuid().safeParse(id).data }
}
