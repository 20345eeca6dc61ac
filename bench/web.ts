import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export type Visits = Record<
  string,
  {
    coldMilliseconds: number
    warmMilliseconds: number
    scriptKilobytes: number
    styleKilobytes: number
    otherKilobytes: number
    requests: number
    warmRequests: number
    layoutShift: number
  }
>
export type Scroll = {
  frames: number
  framesOver16: number
  framesOver50: number
  droppedShare: number
  marks: { cards: number; requests: number; heapMegabytes: number; elements: number }[]
}
export type WebReport = { visits: Visits; scroll: Scroll }

/**
 * Measures a running product in a browser: each screen on a phone connection, and scrolling through ten thousand cards.
 */
export async function measureWeb(url: string, email: string, password: string): Promise<WebReport> {
  const ask = (program: string) => run(program, url, email, password)
  return { visits: await ask('visits.ts'), scroll: await ask('scroll.ts') }
}

/** The milliseconds from the last key to the first record in the command palette. */
export const measurePalette = (
  url: string,
  email: string,
  password: string,
): Promise<{ median: number; longest: number }> => run('palette.ts', url, email, password)

async function run(program: string, url: string, email: string, password: string) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'web', program), url], {
    env: { ...process.env, PRODUCT_EMAIL: email, PRODUCT_PASSWORD: password },
  })
  return JSON.parse(stdout)
}
