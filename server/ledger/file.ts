import { mkdir, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { syncFolder } from '#server/db/embedded/files.ts'
import { HEADER, type LedgerLine, parseLedger, textOf } from './lines.ts'

/** One copy of the ledger on this host. */
export type LedgerFile = {
  path: string
  /** Appends the lines that the file does not have, and syncs it. Throws when they are not safely stored. */
  append: (lines: LedgerLine[]) => Promise<void>
}

export function openLedgerFile(path: string): LedgerFile {
  let ids = new Set<string>()
  let known = -1
  let turn: Promise<unknown> = Promise.resolve()

  async function append(lines: LedgerLine[]) {
    const folder = dirname(resolve(path))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const handle = await open(path, 'a+', 0o600)
    try {
      let { size } = await handle.stat()
      // Another process on this host writes to the same file.
      if (size !== known) {
        const { lines: present, whole, isOpen } = parseLedger(path, await handle.readFile())
        ids = new Set(present.map(({ id }) => id))
        if (whole < size) await handle.truncate(whole)
        if (isOpen) await handle.appendFile('\n')
        if (whole === 0) await handle.appendFile(HEADER)
        size = (await handle.stat()).size
      }
      const added = lines.filter(({ id }) => !ids.has(id))
      known = -1
      await handle.appendFile(added.map(textOf).join('')).catch(async (error) => {
        await handle.truncate(size).catch(() => {})
        throw error
      })
      await handle.sync()
      syncFolder(folder)
      for (const { id } of added) ids.add(id)
      known = (await handle.stat()).size
    } finally {
      await handle.close()
    }
  }

  return {
    path,
    append(lines) {
      const mine = turn.then(() => append(lines))
      turn = mine.catch(() => {})
      return mine
    },
  }
}
