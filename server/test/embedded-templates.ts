import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { openDatabase } from '#server/db/open.ts'
import { readSettings } from '#server/settings.ts'
import { installQueues } from './install-queues.ts'
import { quietLog } from './quiet-log.ts'

/** The data folder of a server that has started before, after a clean stop, without a secret or a row in it. */
export async function makeDataFolder(folder: string): Promise<void> {
  const database = await openDatabase(readSettings({ DATA_DIR: folder }), quietLog, (reason) => {
    throw reason
  })
  await installQueues(database)
  await database.close()
}

/** A copy, with the owners of its files. */
export function copyDataFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  execFileSync('cp', ['-a', `${from}/.`, to])
}
