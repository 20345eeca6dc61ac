import { setTimeout as pause } from 'node:timers/promises'
import { FolderInUse } from './errors.ts'

/** The longest time that a server takes to stop. */
const WAIT_MS = 10_000
const TRY_EVERY_MS = 100

/**
 * Opens the folder. While another process uses it, tries again, because that process may be about to stop. Calls
 * `onWait` once.
 */
export async function waitForFolder<T>(open: () => Promise<T>, onWait: () => void): Promise<T> {
  let waitUntil: number | undefined
  while (true) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error
      if (waitUntil === undefined) onWait()
      waitUntil ??= performance.now() + WAIT_MS
      if (performance.now() > waitUntil) throw error
      await pause(TRY_EVERY_MS)
    }
  }
}
