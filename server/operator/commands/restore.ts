import { resolve } from 'node:path'
import { restoreBackup } from '#server/backup/restore.ts'
import type { Progress } from '#server/db/stages.ts'
import { type Command, EXIT_USAGE } from '../command.ts'

export const restore: Command = {
  name: 'restore',
  usage: 'FILE',
  summary: 'fills an empty folder or database with a backup, or changes nothing; not while a server runs on it',
  takesAnySchema: true,
  wantsDatabaseAlone: true,
  async run({ database, folder, out }, args) {
    const [file, ...others] = args
    if (file === undefined || file.startsWith('-') || others.length > 0) return EXIT_USAGE
    const onProgress = ({ stage, rows, seconds }: Progress) =>
      out(`${stage.padEnd(40)} ${(rows?.toLocaleString('en') ?? '').padStart(10)} ${seconds.toFixed(1).padStart(7)} s`)
    const { backup, rows } = await restoreBackup(database, resolve(folder, file), { onProgress })
    out(`Restored ${rows.toLocaleString('en')} rows as they were on ${backup.header.takenAt}.`)
    return 0
  },
}
