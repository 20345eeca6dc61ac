import type { OpenDatabase } from '#server/db/database.ts'
import { createQueue } from '#server/db/queue.ts'
import { createJobs } from '#server/enrichment/jobs.ts'
import { quietLog } from './quiet-log.ts'

/** Creates the tables of the queues, which the product creates on first use. */
export async function installQueues(database: OpenDatabase): Promise<void> {
  const queue = createQueue({ database, log: quietLog })
  await createJobs({ queue, log: quietLog, run: async () => {} })
  await queue.close()
}
