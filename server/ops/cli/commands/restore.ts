import { resolve } from 'node:path'
import type { Progress } from '#server/db/progress.ts'
import { withBackupFile } from '#server/ops/backup/read.ts'
import { restoreBackup } from '#server/ops/backup/restore.ts'
import { type Command, EXIT_USAGE } from '../command.ts'
import { wrapped } from '../lines.ts'

const KEEP_SESSIONS = '--keep-sessions'

export const restore: Command = {
  name: 'restore',
  usage: `FILE [${KEEP_SESSIONS}]`,
  summary: 'fills an empty folder or database from a backup, or changes nothing; stop the server first',
  takesAnySchema: true,
  wantsDatabaseAlone: true,
  async withFile({ folder }, args, run) {
    const [file, ...others] = args.filter((word) => word !== KEEP_SESSIONS)
    if (file === undefined || file.startsWith('-') || others.length > 0) return EXIT_USAGE
    await withBackupFile(resolve(folder, file), (source) => run({ source }))
    return 0
  },
  async run({ database, out, source }, args) {
    if (source === undefined) return EXIT_USAGE
    const onProgress = ({ stage, rows, seconds }: Progress) =>
      out(`${stage.padEnd(40)} ${(rows?.toLocaleString('en') ?? '').padStart(10)} ${seconds.toFixed(1).padStart(7)} s`)
    const keepsSessions = args.includes(KEEP_SESSIONS)
    const { backup, rows } = await restoreBackup(database, source, { onProgress, keepsSessions })
    out(`Restored ${rows.toLocaleString('en')} rows as they were on ${backup.header.takenAt}.`)
    for (const line of wrapped(enabledAgain(backup.header.takenAt), '    ')) out(line)
    if (!keepsSessions) out('All sessions and email links have ended. Everyone has to sign in again.')
    return 0
  },
}

const enabledAgain = (takenAt: string) =>
  [
    'Accounts that were disabled after that are enabled again. Before you start the server:',
    '  npm run operator -- accounts list',
    '    shows who is disabled now.',
    `  npm run operator -- history search --action account-disable --since ${takenAt.slice(0, 10)}`,
    '    names the others, if you still have the former database: run it with its DATA_DIR or DATABASE_URL.',
    '  npm run operator -- accounts disable EMAIL',
    '    disables one again.',
  ].join('\n')
