import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RunAnswer } from './enrichment.ts'
import { STILL_LOOKING } from './notice.ts'

/** The answer of `enrich` and `refresh`: 202 while the run goes on without the caller. */
export function refreshed<Findings>(reply: FastifyReply, answer: RunAnswer<Findings>): RunAnswer<Findings> {
  if ('pending' in answer) reply.code(202)
  return answer.success ? answer : { success: false, error: answer.error }
}

/**
 * What `create` says of the run of a record that is saved already: whatever becomes of it, the record stands. Nobody asked
 * for a run, so that it found nothing is not said.
 */
export async function createdWith<Findings>(
  request: FastifyRequest,
  run: Promise<RunAnswer<Findings>>,
): Promise<{ enrichedData?: Findings; notice?: string }> {
  try {
    const answer = await run
    if ('pending' in answer) return { notice: STILL_LOOKING }
    return {
      ...(answer.success && { enrichedData: answer.enrichedData }),
      ...(answer.notice !== undefined && { notice: answer.notice }),
    }
  } catch (error) {
    request.log.error({ err: error }, 'A new record could not be looked up')
    return {}
  }
}
