import type { FastifyReply, FastifyRequest } from 'fastify'
import { email } from '#contract/auth.ts'
import { networkKey } from '#server/auth/throttle.ts'
import type { Database } from '#server/db/database.ts'
import type { Log } from '#server/log.ts'
import { recordDeniedRequest } from './denied-requests.ts'
import { type Deed, recordHistory } from './record.ts'
import { triedBy } from './tried.ts'

// Refusals of accounts are history too; those of visitors who are not signed in have a table of their own, which is kept for
// a while only. Anyone can cause them: so in any minute only the first of each caller are written one by one, and of all
// visitors only the first as well. The rest are counted, and written in one row a caller when the minute is over. Visitors
// can cause MINUTE_OF_ALL + CALLERS_MAX rows a minute and process.

const MINUTE_MS = 60_000
const MINUTE_OF_ONE = 20
const MINUTE_OF_ALL = 100
/** Callers told apart in one minute, of those who are not signed in; the rest are one. */
const CALLERS_MAX = 200
const OTHERS = 'others'

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Refused for lack of rights or for too much: 403, 429, and changes by nobody who is signed in. */
const isRefused = ({ method }: FastifyRequest, status: number) =>
  status === 403 || status === 429 || (status === 401 && UNSAFE.has(method))

type Count = { by: Deed['by']; written: number; more: number }

export type Refusals = ReturnType<typeof openRefusals>

/** Keeps what is refused. Whatever becomes of it, the refusal is answered. */
export function openRefusals({ db, log }: { db: Database; log: Log }) {
  let counts = new Map<string, Count>()
  let anonymous = 0

  const write = (deed: Deed) =>
    (deed.by?.id === undefined
      ? recordDeniedRequest(db, deed)
      : recordHistory(db, { ...deed, result: 'refused' })
    ).catch((error) => log.warn({ err: error }, 'A refusal could not be written down'))

  const countOf = (request: FastifyRequest): Count => {
    const account = request.session?.account
    const own = account ? account.id : networkKey(request.ip)
    // Whoever is signed in is never one of the others: nobody's noise hides what a fellow tried.
    const key = account || counts.has(own) || counts.size < CALLERS_MAX ? own : OTHERS
    const by = account ? { id: account.id, email: account.email } : { ip: key === OTHERS ? undefined : key }
    const count = counts.get(key) ?? { by, written: 0, more: 0 }
    counts.set(key, count)
    return count
  }

  const tellRest = async () => {
    const over = counts
    counts = new Map()
    anonymous = 0
    for (const { by, more } of over.values()) {
      if (more > 0) await write({ action: 'request', by, detail: { more, within: '1 minute' } })
    }
  }
  const minute = setInterval(() => void tellRest(), MINUTE_MS).unref()

  return {
    /** To be called before an answer leaves. */
    async keep(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (!isRefused(request, reply.statusCode)) return
      const count = countOf(request)
      const isAnonymous = request.session === undefined
      if (count.written >= MINUTE_OF_ONE || (isAnonymous && anonymous >= MINUTE_OF_ALL)) {
        count.more += 1
        return
      }
      count.written += 1
      if (isAnonymous) anonymous += 1
      const account = request.session?.account
      await write({
        ...triedBy(request),
        by: {
          id: account?.id,
          email: account?.email ?? typedEmail(request),
          ip: request.ip,
          requestId: request.id,
        },
        detail: { method: request.method, path: request.url.split('?', 1)[0]?.slice(0, 200), status: reply.statusCode },
      })
    },

    async close(): Promise<void> {
      clearInterval(minute)
      await tellRest()
    },
  }
}

/** The address that somebody tried to come in with. */
const typedEmail = ({ body, routeOptions }: FastifyRequest): string | undefined => {
  if (!routeOptions.url?.startsWith('/api/auth/')) return undefined
  return email.safeParse((body as { email?: unknown } | null | undefined)?.email).data?.toLowerCase()
}
