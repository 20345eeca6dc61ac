import type { Database, OpenDatabase } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import type { LedgerLine } from '#server/ledger/lines.ts'
import type { BackupFile } from '#server/ops/backup/read.ts'

/** The operator, as seen by the process in which the command was typed. */
export type Caller = {
  /** The base of relative file paths: the operator's working directory. */
  folder: string
  /** Aborted by Ctrl-C, or when the caller has disconnected. */
  signal: AbortSignal
  /** Prints a line. */
  out: (line: string) => void
}

/** A file of the operator's, between the process that opened it and the command. */
export type OperatorFile = {
  /** Receives what goes into the file. */
  write?: (bytes: Buffer) => Promise<void>
  /** The file itself, for reading. It never leaves the operator's process. */
  source?: BackupFile
  /** The ledger that the operator gave. */
  ledger?: LedgerLine[]
}

/** The input of a command, wherever it runs: in a process of its own, or in the server that has the database. */
export type OperatorContext = Caller &
  OperatorFile & {
    database: OpenDatabase
    db: Database
    settings: Settings
  }

/** Runs the command with its file, wherever the database is. Throws a `StartupError` when the command fails. */
type RunWithFile = (file: OperatorFile) => Promise<void>

/** A failing command throws a `StartupError` with a sentence for the operator. */
export type Command = {
  name: string
  /** The arguments after the name, such as `FILE [--force]`. */
  usage: string
  summary: string
  /** Uses the current schema. Any other command first migrates it, like a start. */
  takesAnySchema?: true
  /** Refused while a server has the database. May start with an empty folder. */
  wantsDatabaseAlone?: true
  /**
   * Opens a file of the operator's and runs the command with it. This part always runs in the operator's own process:
   * the server has other rights, and under systemd another /tmp. Returns the exit code.
   */
  withFile?: (caller: Caller, args: string[], run: RunWithFile) => Promise<number>
  /** Returns the exit code. */
  run: (context: OperatorContext, args: string[]) => Promise<number>
}

/** The exit code for wrong arguments. */
export const EXIT_USAGE = 2
