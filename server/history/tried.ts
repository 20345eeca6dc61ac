import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Deed } from './record.ts'

type Tried = Pick<Deed, 'action' | 'kind' | 'objectId'>

const KINDS: Record<string, string> = { founders: 'founder', companies: 'company' }
const VERBS: Record<string, string> = { POST: 'create', PUT: 'update', DELETE: 'delete' }

/** What a request that was refused would have done, in the words of history; `request` for what has no word there. */
export function triedBy(request: FastifyRequest): Tried {
  const [, , area = '', ...rest] = request.routeOptions.url?.split('/') ?? []
  const { id } = (request.params ?? {}) as { id?: unknown }
  const objectId = z.uuid().safeParse(id).data
  const verb = VERBS[request.method]
  if (area === 'auth') return { action: entryOf(rest) }
  if (area === 'account') return { action: `account-${entryOf(rest)}` }
  if (verb === undefined) return { action: 'request', objectId }
  if (area === 'notes') return { action: verb === 'create' ? 'add-note' : `${verb}-note`, kind: rest[0], objectId }
  if (rest.at(-1) === 'refresh' || rest.at(-1) === 'enrich') return { action: 'enrich', kind: KINDS[area], objectId }
  return KINDS[area] === undefined ? { action: 'request', objectId } : { action: verb, kind: KINDS[area], objectId }
}

/** The ways in by their names; the one that knows by itself which is wanted counts as a sign-in. */
const entryOf = (rest: string[]): string => {
  const name = rest.filter((part) => !part.startsWith(':')).join('-')
  return name === 'smart-auth' ? 'login' : name || 'request'
}
