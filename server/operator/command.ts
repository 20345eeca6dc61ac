import type { Database, OpenDatabase } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'

/** What a command works with, wherever it runs: in a process of its own, or in the server that has the database. */
export type OperatorContext = {
  database: OpenDatabase
  db: Database
  settings: Settings
  /** Where the operator stands: what a file's relative path begins from. */
  folder: string
  /** The operator wants it to end: by Ctrl-C, or because the one who asked for it has gone. */
  signal: AbortSignal
  /** A line for the operator to read. */
  out: (line: string) => void
}

/** Failing, a command throws a `StartupError` with a sentence for the operator. */
export type Command = {
  name: string
  /** The words after the name, such as `FILE [--force]`. */
  usage: string
  summary: string
  /** Takes the schema as it finds it; any other command has it brought up to date first, as a start does. */
  takesAnySchema?: true
  /** Is refused while a server has the database, and may begin with a folder that has none yet. */
  wantsDatabaseAlone?: true
  /** Answers the exit code. */
  run: (context: OperatorContext, args: string[]) => Promise<number>
}

/** Words that a command does not understand. */
export const EXIT_USAGE = 2
