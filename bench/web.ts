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
  const ask = async (program: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'web', program), url], {
      env: { ...process.env, PRODUCT_EMAIL: email, PRODUCT_PASSWORD: password },
    })
    return JSON.parse(stdout)
  }
  return { visits: await ask('visits.ts'), scroll: await ask('scroll.ts') }
}
