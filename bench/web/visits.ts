// Visits each screen like a phone, and prints the transferred bytes, the time until the first row, and the layout shift:
//   CHROMIUM_PATH=/usr/bin/chromium node bench/web/visits.ts http://localhost:3000 [path…]
// PRODUCT_EMAIL and PRODUCT_PASSWORD are the account. AGAINST=http://localhost:3001 visits another product in turns with
// the first one, such as that of an earlier commit: `coldShare` is then the median of the pairs. ROUNDS is their number.
import type { BrowserContext, CDPSession } from '@playwright/test'
import { login, median, openProfile, signIn } from './browser.ts'

/** A phone's connection and processor. */
const LINE = { offline: false, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8, latency: 150 }
const SLOWED = 4
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const LATER_VISITS = 3

/** The element that makes a screen usable: the form, the counts, or the first row. */
const screens = {
  '/auth': 'input[type=email]',
  '/': 'dl',
  '/founders': 'article h2',
  '/companies': 'article h2',
  '/my-records': 'article h2',
  /** Of the newest founder, by its address. */
  '/founders/:id': 'main h1',
  '/pipeline': 'main article',
}
type Path = keyof typeof screens

type Transfers = { script: number; style: number; other: number; requests: number }

/** Adds up the transferred bytes: compressed, including headers. */
const countTransfers = async (devtools: CDPSession): Promise<Transfers> => {
  const sum = { script: 0, style: 0, other: 0, requests: 0 }
  const kinds = new Map<string, 'script' | 'style' | 'other'>()
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    kinds.set(requestId, type === 'Script' ? 'script' : type === 'Stylesheet' ? 'style' : 'other')
  })
  devtools.on('Network.requestWillBeSent', () => {
    sum.requests += 1
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    sum[kinds.get(requestId) ?? 'other'] += encodedDataLength
  })
  await devtools.send('Network.enable')
  return sum
}

/**
 * Opens the path in a new tab. Returns the milliseconds until the screen is usable, and the transferred bytes. The page
 * reports by itself, because polling would slow it down.
 */
const visit = async (context: BrowserContext, path: Path, address: string) => {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  const transfers = await countTransfers(devtools)
  await devtools.send('Network.emulateNetworkConditions', LINE)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  await page.addInitScript((selector) => {
    const shifts = { sum: 0 }
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) shifts.sum += (shift as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    const watch = () => {
      const height = document.querySelector(selector)?.getBoundingClientRect().height ?? 0
      // Callbacks run before a frame is painted, timers after it.
      if (height > 0) setTimeout(() => console.debug(`shown ${performance.now()}`))
      else requestAnimationFrame(watch)
    }
    requestAnimationFrame(watch)
  }, screens[path])
  const report = page.waitForEvent('console', (message) => message.text().startsWith('shown'))
  await page.goto(address, { waitUntil: 'commit' })
  const shown = Number((await report).text().slice('shown'.length))
  await page.waitForLoadState('load')
  // Includes later requests of the screen, such as the live stream and pictures.
  await page.waitForTimeout(1000)
  const shift = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum)
  await page.close()
  return { shown, shift, ...transfers }
}

/** A new browser, and the address of the path for it. */
const newVisitor = async (url: string, path: Path) => {
  const context = await openProfile({ width: 390, height: 844 }, url)
  if (path !== '/auth') await signIn(context)
  if (!path.includes(':id')) return { context, address: path }
  const [newest] = await (await context.request.get('/api/founders?limit=1')).json()
  return { context, address: path.replace(':id', newest.id) }
}

const kilobytes = (bytes: number) => Number((bytes / 1000).toFixed(1))

type Visit = Awaited<ReturnType<typeof visit>>

const report: Record<string, object> = {}
const wanted = process.argv.slice(3)
const against = process.env.AGAINST
const paths = (Object.keys(screens) as Path[]).filter((path) => wanted.length === 0 || wanted.includes(path))
for (const path of paths) {
  const products = [login.url, ...(against ? [against] : [])].map((url) => ({
    url,
    cold: [] as Visit[],
    warm: [] as Visit[],
  }))
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each is as often the first as the second.
    for (const { url, cold, warm } of round % 2 === 0 ? products : products.toReversed()) {
      const { context, address } = await newVisitor(url, path)
      cold.push(await visit(context, path, address))
      // Browsers keep the compiled form of a script on its second load, and use it from then on.
      await visit(context, path, address)
      for (let later = 0; later < LATER_VISITS; later += 1) warm.push(await visit(context, path, address))
      await context.close()
    }
  }
  const [own, other] = products
  const shares = other?.cold.map(({ shown }, round) => (own?.cold[round]?.shown ?? 0) / shown)
  for (const { url, cold, warm } of products) {
    const first = cold[0] as Visit
    report[url === against ? `${path} of the other` : path] = {
      coldMilliseconds: Math.round(median(cold.map(({ shown }) => shown))),
      warmMilliseconds: Math.round(median(warm.map(({ shown }) => shown))),
      ...(url !== against && shares && { coldShare: Number(median(shares).toFixed(2)) }),
      scriptKilobytes: kilobytes(first.script),
      styleKilobytes: kilobytes(first.style),
      otherKilobytes: kilobytes(first.other),
      requests: first.requests,
      warmRequests: warm[0]?.requests,
      layoutShift: Number(Math.max(...[...cold, ...warm].map(({ shift }) => shift)).toFixed(3)),
    }
  }
}
console.log(JSON.stringify(report, null, 2))
