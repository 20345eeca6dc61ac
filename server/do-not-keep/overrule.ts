import type { FastifyRequest } from 'fastify'
import type { Overrule as OverruleInput } from '#contract/overrule.ts'
import { refuseUnconfirmed } from '#server/auth/sessions/confirmation.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { confirmFirst, doNotKeep } from '#server/http/errors.ts'
import { authorize, refusal, rights } from '#server/rights.ts'
import type { Overrule } from './listed.ts'

/** The overrule in a request. Throws the 403 for a fellow, and for a manager who has to prove who they are. */
export function overruleOf(request: FastifyRequest, given: OverruleInput | undefined): Overrule | undefined {
  if (given === undefined) return undefined
  const by = callerOf(request)
  authorize(by, rights.overrule)
  refuseUnconfirmed(request)
  return { ...given, by }
}

export const OVERRULE_REFUSALS = [refusal(rights.overrule), confirmFirst(), doNotKeep()]
