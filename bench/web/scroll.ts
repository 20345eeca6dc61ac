// Scrolls /founders by the wheel to its 10,000th card, and prints its smoothness and its cost:
//   CHROMIUM_PATH=/usr/bin/chromium node bench/web/scroll.ts http://localhost:3000
// The product must have that many founders. PRODUCT_EMAIL and PRODUCT_PASSWORD are the account.
import type { CDPSession, Page } from '@playwright/test'
import { login, openBrowser, signIn } from './browser.ts'

const MARKS = [50, 1000, 5000, 10_000]
/** Between the marks the reader scrolls fast; at each mark, at the usual speed of a wheel. */
const HASTE = 4000
const NOTCH = 120
const NOTCHES = 150
const FRAME = 1000 / 60

/** The position of the reader, in cards. */
const reached = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('[aria-posinset]')]
    const inSight = rows.filter((row) => row.getBoundingClientRect().top < innerHeight)
    return Math.max(0, ...inSight.map((row) => Number(row.getAttribute('aria-posinset'))))
  })

/** Records the duration of each frame from now on. `takeFrames` returns the durations and starts over. */
const recordFrames = (page: Page) =>
  page.evaluate(() => {
    const recorder = { frames: [] as number[], last: 0 }
    const note = (now: number) => {
      if (recorder.last > 0) recorder.frames.push(now - recorder.last)
      recorder.last = now
      requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
    Object.assign(window, { recorder })
  })

const takeFrames = (page: Page) =>
  page.evaluate(() => {
    const { recorder } = window as unknown as { recorder: { frames: number[]; last: number } }
    recorder.last = 0
    return recorder.frames.splice(0)
  })

const memory = async (page: Page, devtools: CDPSession) => {
  await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0
  const elements = await page.evaluate(() => document.querySelectorAll('*').length)
  return { heapMegabytes: Number((heap / 1e6).toFixed(1)), elements }
}

const browser = await openBrowser()
const context = await browser.newContext({ baseURL: login.url, viewport: { width: 1440, height: 900 } })
await signIn(context)
const page = await context.newPage()
const devtools = await context.newCDPSession(page)
await devtools.send('Performance.enable')

let requests = 0
page.on('request', (request) => {
  if (request.url().includes('/api/founders?')) requests += 1
})
await page.goto('/founders')
await page.getByRole('article').first().waitFor()
await page.mouse.move(720, 500)
await recordFrames(page)

const turn = async (distance: number) => {
  await page.mouse.wheel(0, distance)
  await page.waitForTimeout(FRAME)
}

const marks = []
const frames: number[] = []
const began = performance.now()
for (const mark of MARKS) {
  while ((await reached(page)) < mark) await turn(HASTE)
  marks.push({ cards: mark, requests, ...(await memory(page, devtools)) })
  // Scrolls back up, where everything is loaded at the last mark too.
  await takeFrames(page)
  for (let turns = 0; turns < NOTCHES; turns += 1) await turn(mark === MARKS.at(-1) ? -NOTCH : NOTCH)
  frames.push(...(await takeFrames(page)))
}

const slow = (than: number) => frames.filter((frame) => frame > than).length
const wanted = Math.round(frames.reduce((sum, frame) => sum + frame, 0) / FRAME)
console.log(
  JSON.stringify(
    {
      seconds: Number(((performance.now() - began) / 1000).toFixed(1)),
      frames: frames.length,
      // Frame times jitter, so half a frame of tolerance is allowed.
      framesOver16: slow(FRAME * 1.5),
      framesOver50: slow(50),
      droppedShare: Number((1 - Math.min(1, frames.length / wanted)).toFixed(4)),
      marks,
    },
    null,
    2,
  ),
)
await browser.close()
