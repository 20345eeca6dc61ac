import { delay } from '#web/lib/delay.ts'
import type { Written } from './written.ts'

/** For what window a snapshot is, and the style sheets that it needs: asked for while its content is still being opened. */
export type About = { width: number; styles: string[] }

/** The elements of the screen as it was last seen. */
export type Content = Written[]

export const SNAPSHOT_ID = 'snapshot'

/** Where style sheets are long in coming, the page is drawn without. */
const SHOWN_WITHIN_MS = 1000

const page: typeof globalThis & { snapshot?: Promise<void> } = globalThis

/** The one that the page begins with stands on the page itself, as the script that shows it is a file of its own. */
export const beginWith = (showing: Promise<void>) => {
  page.snapshot = Promise.race([showing.catch(() => {}), delay(SHOWN_WITHIN_MS)])
}

/** Settled once what there is has been painted. */
export const begun = () => page.snapshot

/** Whether the page still shows how its screen looked last: until it is drawn anew. */
export const isSnapshotShown = () => document.getElementById(SNAPSHOT_ID) !== null
