import type { Command } from './command.ts'
import { accounts } from './commands/accounts.ts'
import { backup } from './commands/backup.ts'
import { history } from './commands/history.ts'
import { imports } from './commands/imports.ts'
import { restore } from './commands/restore.ts'
import { status } from './commands/status.ts'

/** All commands, by the name that the operator types. */
export const commands: Command[] = [status, backup, restore, accounts, history, imports]

/** The help text, for a missing or an unknown command. */
export function usage(): string[] {
  const lines = commands.map(({ name, usage, summary }) => [`${name} ${usage}`.trim(), summary] as const)
  const width = Math.max(...lines.map(([words]) => words.length))
  return [
    'npm run operator -- COMMAND',
    '',
    ...lines.map(([words, summary]) => `  ${words.padEnd(width)}  ${summary}`),
    '',
    'Settings come from the environment; --settings FILE also reads them from a file, such as that of a service.',
  ]
}
