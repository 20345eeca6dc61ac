import fs from 'node:fs'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** Reports that PostgreSQL can no longer be trusted and ends the worker. Neither function returns. */
export type FatalReport = { diskRefused: (code: string) => never; broken: (message: string) => never }

/** Opens the database of a folder, created if missing, so that a statement returns only when the disk has its data. */
export async function openDurable(folder: string, fatal: FatalReport): Promise<PGlite> {
  return open(fatal, {
    fs: syncingFolder(folder, fatal),
    // PGlite starts with -F by default, which skips every sync. Its fdatasync, the default for commits, does nothing.
    startParams: [
      ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
      ...['-c', 'wal_sync_method=fsync'],
      // Half of the default, which saves 70 MB (docs/decisions/0003-embedded-database.md).
      ...['-c', 'shared_buffers=64MB'],
    ],
  })
}

export async function openInMemory(snapshot: Blob | undefined, fatal: FatalReport): Promise<PGlite> {
  return open(fatal, snapshot ? { loadDataDir: snapshot } : {})
}

async function open(fatal: FatalReport, options: PGliteOptions): Promise<PGlite> {
  const complaints: string[] = []
  const onStderr = (line: string) => {
    if (/(FATAL|PANIC):/.test(line)) complaints.push(line.replace(/^.*?(?=FATAL|PANIC)/, ''))
    return false
  }
  try {
    const db = await PGlite.create({ ...options, onStderr })
    endOnBreakdown(db, () => complaints.at(-1), fatal)
    return db
  } catch (error) {
    throw new Error(complaints.at(-1) ?? (error as Error).message)
  }
}

type StreamOperations = { fsync?: (stream: { nfd: number; node: { mode: number } }) => number }

/**
 * PGlite's Node file system, with the sync that it lacks: of the log at each commit, and of all other files and folders
 * at each checkpoint. Set up before PostgreSQL starts, because crash recovery syncs too.
 */
function syncingFolder(folder: string, fatal: FatalReport): NodeFS {
  return new (class extends NodeFS {
    override async init(...[db, given]: Parameters<NodeFS['init']>) {
      const { emscriptenOpts } = await super.init(db, given)
      emscriptenOpts.preRun?.push(({ FS, NODEFS }) => {
        const operations = (NODEFS as unknown as { stream_ops: StreamOperations }).stream_ops
        operations.fsync = ({ nfd, node }) => {
          if (process.platform === 'win32' && FS.isDir(node.mode)) return 0
          try {
            fs.fsyncSync(nfd)
            return 0
          } catch (error) {
            // PGlite would report the statement as done. A second sync may well succeed although the data is lost.
            return fatal.diskRefused((error as NodeJS.ErrnoException).code ?? 'unknown')
          }
        }
      })
      return { emscriptenOpts }
    }
  })(folder)
}

/** The status by which PostgreSQL's ERROR reaches PGlite. Any other status is a breakdown. */
const postgresLongJump = 100

/**
 * PGlite swallows what its engine throws, and reports the statement as done. A PANIC, for example when the log cannot
 * be written to a full disk, must end the worker instead. Everything that is not an ERROR of PostgreSQL counts as one.
 */
function endOnBreakdown(db: PGlite, complaint: () => string | undefined, fatal: FatalReport): void {
  const engine = db.Module
  for (const step of ['_PostgresMainLoopOnce', '_PostgresMainLongJmp'] as const) {
    const run = engine[step]
    engine[step] = () => {
      try {
        run()
      } catch (error) {
        if ((error as { status?: number }).status === postgresLongJump) throw error
        fatal.broken(complaint() ?? (error as Error).message)
      }
    }
  }
}
