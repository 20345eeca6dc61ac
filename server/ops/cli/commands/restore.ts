import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Progress } from '#server/db/progress.ts'
import type { Applied } from '#server/ledger/apply.ts'
import { ledgerPaths } from '#server/ledger/ledger.ts'
import { type LedgerLine, readLedger } from '#server/ledger/lines.ts'
import { withBackupFile } from '#server/ops/backup/read.ts'
import { restoreBackup } from '#server/ops/backup/restore.ts'
import { eraseListed } from '#server/programme/privacy/erase-chosen.ts'
import { StartupError } from '#server/startup-error.ts'
import { type Command, EXIT_USAGE } from '../command.ts'
import { wrapped } from '../lines.ts'

export const restore: Command = {
  name: 'restore',
  usage: 'FILE [--ledger FILE | --without-ledger] [--keep-sessions]',
  summary: 'fills an empty folder or database from a backup, or changes nothing; stop the server first',
  takesAnySchema: true,
  wantsDatabaseAlone: true,
  async withFile({ folder }, args, run) {
    const words = readWords(args)
    if (words === undefined) return EXIT_USAGE
    const ledger = words.ledger === undefined ? undefined : await given(resolve(folder, words.ledger))
    await withBackupFile(resolve(folder, words.file), (source) => run({ source, ...(ledger && { ledger }) }))
    return 0
  },
  async run({ database, out, settings, source, ledger: given }, args) {
    const words = readWords(args)
    if (source === undefined || words === undefined) return EXIT_USAGE
    const onProgress = ({ stage, rows, seconds }: Progress) =>
      out(`${stage.padEnd(40)} ${(rows?.toLocaleString('en') ?? '').padStart(10)} ${seconds.toFixed(1).padStart(7)} s`)
    const { keepsSessions, withoutLedger } = words
    const ledger = await allLines(given, ledgerPaths(settings))
    const options = { onProgress, keepsSessions, withoutLedger, ledger, erase: eraseListed }
    const { backup, rows, applied } = await restoreBackup(database, source, options)
    out(`Restored ${rows.toLocaleString('en')} rows as they were on ${backup.header.takenAt}.`)
    const after = ledger === undefined && withoutLedger ? allBack(backup.header.takenAt) : appliedInWords(applied)
    for (const line of wrapped(after, '    ')) out(line)
    for (const line of wrapped(PAUSED, '    ')) out(line)
    if (!keepsSessions) out('All sessions and email links have ended. Everyone has to sign in again.')
    return 0
  },
}

/** The parsed arguments; undefined when they do not match `usage`. */
function readWords(args: string[]) {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ledger: { type: 'string' },
        'without-ledger': { type: 'boolean', default: false },
        'keep-sessions': { type: 'boolean', default: false },
      },
    })
    const [file, ...others] = positionals
    const { ledger, 'without-ledger': withoutLedger, 'keep-sessions': keepsSessions } = values
    if (file === undefined || others.length > 0 || (ledger !== undefined && withoutLedger)) return undefined
    return { file, ledger, withoutLedger, keepsSessions }
  } catch {
    return undefined
  }
}

async function given(path: string): Promise<LedgerLine[]> {
  const content = await readLedger(path)
  if (content === undefined) throw new StartupError(`There is no ledger ${path}.`)
  return content.lines
}

/** The lines of the given ledger and of every one that is found, which may overlap; undefined without a ledger. */
async function allLines(given: LedgerLine[] | undefined, paths: string[]): Promise<LedgerLine[] | undefined> {
  const found = await Promise.all(paths.map(readLedger))
  const all = [given, ...found.map((content) => content?.lines)].filter((lines) => lines !== undefined)
  return all.length === 0 ? undefined : all.flat()
}

const appliedInWords = ({ erased, accounts, passwords }: Applied) =>
  `Applied the ledger since then: ${erased} erased records, ${accounts} changed accounts, and ${passwords} passwords that are no longer valid. Their owners need a link to set another one.`

const PAUSED =
  'Sending is paused: no daily mail goes out until a manager goes on at /programme/sending, or you with: npm run operator -- sending on'

const allBack = (takenAt: string) =>
  [
    'There was no ledger, so all of this is as it was then:',
    '  Records, values and fellows that were erased after that are back. Erase them again at /programme/privacy and People.',
    '  Their addresses are no longer refused when someone adds them.',
    '  Accounts that were disabled after that are enabled again, fellows who left can sign in again, and managers who were demoted are managers again.',
    '  Passwords that were changed or reset after that are the former ones again.',
    'Before you start the server:',
    '  npm run operator -- accounts list',
    '    shows who is disabled now.',
    `  npm run operator -- history search --action account-disable --since ${takenAt.slice(0, 10)}`,
    '    names the others, if you still have the former database: run it with its DATA_DIR or DATABASE_URL.',
    '  npm run operator -- accounts disable EMAIL',
    '    disables one again. accounts demote EMAIL and accounts reset EMAIL do the same for managers and passwords.',
  ].join('\n')
