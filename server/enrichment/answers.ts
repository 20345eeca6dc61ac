import type { FastifyReply } from 'fastify'
import { STILL_LOOKING } from './notice.ts'

/**
 * How a run that was asked for stands: over, with what it found, or under way without the caller. A `notice` beside an
 * `error` is the part of it that matters to who only added the record.
 */
export type RunAnswer =
  | { success: true; enrichedData: object; notice?: string }
  | { success: true; pending: true }
  | { success: false; error: string; notice?: string }

/** The answer of `enrich` and `refresh`: 202 while the run goes on without the caller. */
export function refreshed(reply: FastifyReply, answer: RunAnswer): RunAnswer {
  if ('pending' in answer) reply.code(202)
  return answer.success ? answer : { success: false, error: answer.error }
}

/** What the answer to `create` says of the run of its record. It was not asked for, so finding nothing is not said. */
export function createdWith(answer: RunAnswer): { enrichedData?: object; notice?: string } {
  if ('pending' in answer) return { notice: STILL_LOOKING }
  return {
    ...(answer.success && { enrichedData: answer.enrichedData }),
    ...(answer.notice !== undefined && { notice: answer.notice }),
  }
}
