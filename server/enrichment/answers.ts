import type { FastifyReply } from 'fastify'
import { STILL_LOOKING } from './notice.ts'

/**
 * The state of a requested run: finished, with its result, or still running in the background. A `notice` beside an
 * `error` is the part that also concerns a person who only added the record.
 */
export type RunAnswer =
  | { success: true; enrichedData: object; notice?: string }
  | { success: true; pending: true }
  | { success: false; error: string; notice?: string }

/** The response of `enrich` and `refresh`: 202 while the run continues in the background. */
export function refreshed(reply: FastifyReply, answer: RunAnswer): RunAnswer {
  if ('pending' in answer) reply.code(202)
  return answer.success ? answer : { success: false, error: answer.error }
}

/**
 * The part of the response to `create` about the run of its record. No person asked for that run, so an empty result is
 * not reported.
 */
export function createdWith(answer: RunAnswer): { enrichedData?: object; notice?: string } {
  if ('pending' in answer) return { notice: STILL_LOOKING }
  return {
    ...(answer.success && { enrichedData: answer.enrichedData }),
    ...(answer.notice !== undefined && { notice: answer.notice }),
  }
}
