import { join } from 'node:path'
import type { Database } from '#server/db/database.ts'
import type { Settings } from '#server/env.ts'
import type { Log } from '#server/log.ts'
import { type Applied, applyLedger, type Erase } from './apply.ts'
import { type LedgerFile, openLedgerFile } from './file.ts'
import { type KeyedHashes, LEDGER_FILE, type LedgerLine, readLedger } from './lines.ts'
import { insertLines, listKeys, listLines, listLinesSince } from './store.ts'

const COPY_EVERY_MS = 3_600_000

export type Ledger = {
  /** Writes lines into every file of this host. Throws when none of them has stored the lines. */
  append: (lines: LedgerLine[]) => Promise<void>
  /** Copies new lines of the database into the files. Never throws: a failure is in the log, and the next copy retries. */
  copy: () => Promise<void>
  stop: () => void
}

/** The ledgers of a host: the one beside its data, and the one beside its backups. */
export const ledgerPaths = ({ dataDir, backup }: Pick<Settings, 'dataDir' | 'backup'>): string[] => [
  ...new Set([dataDir, ...(backup ? [backup.dir] : [])].map((folder) => join(folder, LEDGER_FILE))),
]

export function createLedger({ db, paths, log }: { db: Database; paths: string[]; log: Pick<Log, 'warn'> }): Ledger {
  const files: LedgerFile[] = paths.map(openLedgerFile)
  let copiedUntil = ''
  let underWay: Promise<void> = Promise.resolve()

  async function append(lines: LedgerLine[]) {
    if (files.length === 0) return
    const results = await Promise.allSettled(files.map((file) => file.append(lines)))
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ path: files[index]?.path, error: result.reason }] : [],
    )
    if (failures.length === files.length) throw failures[0]?.error
    for (const { path, error } of failures) log.warn({ err: error, path }, 'The ledger could not be written')
    return failures.length === 0
  }

  async function copyAll() {
    try {
      const lines = await (copiedUntil === '' ? listLines(db) : listLinesSince(db, copiedUntil))
      if ((await append(lines)) !== false) copiedUntil = lines.at(-1)?.at ?? copiedUntil
    } catch (error) {
      log.warn({ err: error }, 'The ledger could not be copied; it is retried within the hour')
    }
  }

  const copy = () => {
    if (files.length === 0) return underWay
    underWay = underWay.then(copyAll)
    return underWay
  }
  const timer = setInterval(copy, COPY_EVERY_MS).unref()
  return { append: async (lines) => void (await append(lines)), copy, stop: () => clearInterval(timer) }
}

/**
 * Applies what the ledger of the data folder has and the database does not, before anyone is served: an erasure that a
 * crash has interrupted, and what a database has lost that was put back by its own means. Throws a `StartupError` for a
 * damaged ledger.
 */
export async function completeFromLedger(db: Database, path: string, erase: Erase): Promise<Applied> {
  const lines = (await readLedger(path))?.lines ?? []
  return db.transaction((tx) => applyLedger(tx, lines, erase))
}

/**
 * Records an erasure, in its transaction and after everything else of it: the line is in the files and synced before the
 * commit. A start completes the erasure if the commit does not follow. Throws when the line could not be stored.
 */
export const recordErasure = (
  tx: Database,
  ledger: Ledger,
  { erasureId: id, ...listed }: { erasureId: string; records: string[]; refs: string[]; doNotKeep?: KeyedHashes },
): Promise<void> => recordBeforeCommit(tx, ledger, { id, at: new Date().toISOString(), kind: 'erased', ...listed })

/** Writes a line into the database and the files, with the keys: hashes without their key match nothing. */
export async function recordBeforeCommit(tx: Database, ledger: Ledger, line: LedgerLine): Promise<void> {
  await insertLines(tx, [line])
  await ledger.append([...(await listKeys(tx)), line])
}
