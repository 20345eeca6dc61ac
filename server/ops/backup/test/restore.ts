import type { OpenDatabase } from '#server/db/database.ts'
import { eraseListed } from '#server/programme/privacy/erase-chosen.ts'
import { StartupError } from '#server/startup-error.ts'
import { withBackupFile } from '../read.ts'
import { restoreBackup } from '../restore.ts'

export const restore = (
  place: OpenDatabase,
  path: string,
  options: Partial<Parameters<typeof restoreBackup>[2]> = {},
) => withBackupFile(path, (file) => restoreBackup(place, file, { withoutLedger: true, erase: eraseListed, ...options }))

/** Returns the sentence of a refusal. */
export const refusalOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'It was not refused',
    (error) => (error instanceof StartupError ? error.message : `Not a sentence: ${error.stack}`),
  )
