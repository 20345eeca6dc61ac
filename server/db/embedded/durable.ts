import fs from 'node:fs'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** Reports that PostgreSQL can no longer be trusted and ends the worker. Neither function returns. */
export type FatalReport = { diskRefused: (code: string) => never; broken: (message: string) => never }

/** Opens the database of a folder, made if missing, so that a statement is answered only when the disk has it. */
export async function openDurable(folder: string, fatal: FatalReport): Promise<PGlite> {
  return open(fatal, {
    fs: syncingFolder(folder, fatal),
    // As shipped PGlite starts with -F, which leaves out every sync. Its fdatasync, the default for commits, does nothing.
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
    const db = await PGlite.create({ ...options, extensions: { pg_trgm }, onStderr })
    endOnBreakdown(db, () => complaints.at(-1), fatal)
    return db
  } catch (error) {
    throw new Error(complaints.at(-1) ?? (error as Error).message)
  }
}

type StreamOperations = { fsync?: (stream: { nfd: number; node: { mode: number } }) => number }

/**
 * PGlite's Node file system, and a sync that it lacks: for the log at each commit, for all other files and folders at
 * each checkpoint. Set before PostgreSQL starts, since recovery after a crash syncs too.
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
            // PGlite would answer the statement as done. A second sync may well succeed, though the data is gone.
            return fatal.diskRefused((error as NodeJS.ErrnoException).code ?? 'unknown')
          }
        }
      })
      return { emscriptenOpts }
    }
  })(folder)
}

/** How PostgreSQL's ERROR reaches PGlite, and all that is not a breakdown. */
const postgresLongJump = 100

/**
 * PGlite swallows what its engine throws, and answers the statement as done: a PANIC, as when the log cannot be written
 * on a full disk, must end the thread instead. What is not an ERROR of PostgreSQL's own is taken for one.
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
