import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RunAnswer } from './enrichment.ts'
import { NOTHING_CONFIGURED } from './notice.ts'

/** The answer of `enrich` and `refresh`: 202 while the run goes on without the caller. */
export function refreshed<Findings>(reply: FastifyReply, answer: RunAnswer<Findings>): RunAnswer<Findings> {
  if ('pending' in answer) reply.code(202)
  return answer
}

/** What `create` says of the run of a record that is saved already: whatever becomes of it, the record stands. */
export async function createdWith<Findings>(
  request: FastifyRequest,
  run: Promise<RunAnswer<Findings>>,
): Promise<{ enrichedData?: Findings; notice?: string }> {
  try {
    const answer = await run
    if ('pending' in answer) return { notice: 'Outside data is still being looked up and will be shown here' }
    if (answer.success) return { enrichedData: answer.enrichedData, ...(answer.notice && { notice: answer.notice }) }
    return answer.error === NOTHING_CONFIGURED ? {} : { notice: answer.error }
  } catch (error) {
    request.log.error({ err: error }, 'A new record could not be looked up')
    return {}
  }
}
