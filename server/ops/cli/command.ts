import type { Database, OpenDatabase } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import type { BackupFile } from '#server/ops/backup/read.ts'

/** The operator, as the process in which the command was typed knows them. */
export type Caller = {
  /** Where the operator stands: what a file's relative path begins from. */
  folder: string
  /** The operator wants it to end: by Ctrl-C, or because the one who asked for it has gone. */
  signal: AbortSignal
  /** A line for the operator to read. */
  out: (line: string) => void
}

/** A file of the operator's, between the process that opened it and the command. */
export type OperatorFile = {
  /** Takes what is to be in the file. */
  write?: (bytes: Buffer) => Promise<void>
  /** The file itself, to be read. It never leaves the operator's process. */
  source?: BackupFile
}

/** What a command works with, wherever it runs: in a process of its own, or in the server that has the database. */
export type OperatorContext = Caller &
  OperatorFile & {
    database: OpenDatabase
    db: Database
    settings: Settings
  }

/** Runs the command with its file, wherever the database is. Throws a `StartupError` when the command fails. */
type RunWithFile = (file: OperatorFile) => Promise<void>

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
  /**
   * Opens a file of the operator's and runs the command with it. This part is always in the operator's own process: the
   * server has other rights, and under systemd another /tmp. Answers the exit code.
   */
  withFile?: (caller: Caller, args: string[], run: RunWithFile) => Promise<number>
  /** Answers the exit code. */
  run: (context: OperatorContext, args: string[]) => Promise<number>
}

/** Words that a command does not understand. */
export const EXIT_USAGE = 2
