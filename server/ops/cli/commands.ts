import type { Command } from './command.ts'
import { accounts } from './commands/accounts.ts'
import { backup } from './commands/backup.ts'
import { compact } from './commands/compact.ts'
import { history } from './commands/history.ts'
import { imports } from './commands/imports.ts'
import { reasons, stages } from './commands/pipeline.ts'
import { records } from './commands/records.ts'
import { restore } from './commands/restore.ts'
import { sending } from './commands/sending.ts'
import { status } from './commands/status.ts'
import { wrapped } from './lines.ts'

/** All commands, by the name that the operator types. */
export const commands: Command[] = [
  ...[status, backup, restore, accounts, history, imports, records, stages, reasons, sending, compact],
]

/** The help text, for a missing or an unknown command. */
export function usage(): string[] {
  return [
    'npm run operator -- COMMAND',
    '',
    ...commands.flatMap(({ name, usage, summary }) => [
      ...wrapped(`  ${name} ${usage}`.trimEnd(), '    '),
      ...wrapped(`      ${summary}`, '      '),
    ]),
    '',
    ...wrapped(
      'Settings come from the environment, and from a file .env beside the product; --settings FILE also reads them from another file, such as that of a service.',
    ),
  ]
}
