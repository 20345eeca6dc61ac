import type { OpenDatabase } from '#server/db/database.ts'
import { createQueue } from '#server/db/queue.ts'
import { createJobs } from '#server/enrichment/jobs.ts'
import { quietLog } from './quiet-log.ts'

/** Makes the queues' own tables, which the product makes with its first need of them. */
export async function installQueues(database: OpenDatabase): Promise<void> {
  const queue = createQueue({ database, log: quietLog })
  await createJobs({ queue, isShared: database.isShared, log: quietLog, run: async () => {} })
  await queue.close()
}
