import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test'
import { copyDataFolder } from '#server/test/data-folder.ts'
import { startServer } from '#server/test/server-process.ts'
import { CONTEXT_OPTIONS } from './context-options.ts'
import { EMPTY_DATABASE } from './empty-database.ts'

/** The product as an operator starts it: the real server with its embedded database in its own folder. */
export type Product = { url: string; folder: string; stop: () => Promise<void> }

/** The server logs this at startup without mail, as in most journeys. */
const OPEN_DOOR = /Email addresses are not verified/

/** The journeys of one file share a product, and nearly all sign up. One is about the service worker. */
const JOURNEYS = { THROTTLE_SIGN_UP: '10000', SERVICE_WORKER: 'off' }

/** `expected` matches log lines about settings and about failures that journeys provoke; `fill` fills the data folder. */
export async function startProduct(
  settings: Record<string, string> = {},
  expected = OPEN_DOOR,
  fill?: (folder: string) => Promise<unknown>,
): Promise<Product> {
  const folder = await mkdtemp(joinPath(tmpdir(), 'sourcebook-journey-'))
  copyDataFolder(process.env[EMPTY_DATABASE] as string, folder)
  await fill?.(folder)
  const server = await startServer({ settings: { DATA_DIR: folder, ...JOURNEYS, ...settings } })
  return {
    url: server.url,
    folder,
    stop: async () => {
      const { stderr } = await server.end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
      const complaints = stderr.split('\n').filter((line) => line !== '' && !expected.test(line))
      expect(complaints, 'what the server complained of').toEqual([])
    },
  }
}

type Fixtures = {
  /** Whether the journey sets the clock. It then needs its own browser context, because the clock cannot be reset. */
  setsClock: boolean
  /** Unexpected console messages of this page; a journey that provokes a failure empties the list. */
  complaints: string[]
  /** Opens another API client, without a browser. */
  openCaller: (options?: { userAgent?: string }) => Promise<APIRequestContext>
}

type Workers = {
  product: Product
  /** The pages of a product share compiled scripts, and no state of earlier journeys. */
  shared: { context: BrowserContext; clean: () => Promise<void> }
}

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that it needs from this pattern
async function runProduct({}, use: (product: Product) => Promise<void>) {
  const product = await startProduct()
  await use(product)
  await product.stop()
}

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that it needs from this pattern
async function runProductWithWorker({}, use: (product: Product) => Promise<void>) {
  const product = await startProduct({ SERVICE_WORKER: 'on' })
  await use(product)
  await product.stop()
}

/** A press waits until its target is enabled, as a click does. Otherwise a button that is busy for a moment swallows it. */
function letPressesWait(page: Page) {
  const locators: Locator = Object.getPrototypeOf(page.locator('body'))
  const press = locators.press
  locators.press = async function (key, options) {
    const { timeout } = options ?? {}
    await expect(this).not.toHaveJSProperty('disabled', true, { ...(timeout !== undefined && { timeout }) })
    await press.call(this, key, options)
  }
}

/** Journeys of one file share a product. Each gets a clean page, and its console must stay empty. */
export const test = base.extend<Fixtures, Workers>({
  product: [runProduct, { scope: 'worker' }],
  shared: [
    async ({ browser, product }, use) => {
      const context = await browser.newContext({ ...CONTEXT_OPTIONS, baseURL: product.url })
      // An open page keeps the renderer process of this product alive.
      const idle = await context.newPage()
      await idle.goto('/healthz')
      letPressesWait(idle)
      const session = await context.newCDPSession(idle)
      const clean = async () => {
        for (const page of context.pages()) if (page !== idle) await page.close()
        await context.clearCookies()
        await context.clearPermissions()
        await session.send('Storage.clearDataForOrigin', { origin: product.url, storageTypes: 'local_storage' })
      }
      await use({ context, clean })
      await context.close()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ product }, use) => use(product.url),
  setsClock: [false, { option: true }],
  context: async ({ shared, browser, hasTouch, deviceScaleFactor, setsClock }, use) => {
    if (!hasTouch && deviceScaleFactor === undefined && !setsClock) {
      await use(shared.context)
      return shared.clean()
    }
    const context = await browser.newContext()
    await use(context)
    await context.close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that it needs from this pattern
  complaints: ({}, use) => use([]),
  openCaller: async ({ playwright, product }, use) => {
    const opened: APIRequestContext[] = []
    await use(async (options) => {
      const caller = await playwright.request.newContext({ baseURL: product.url, ...options })
      opened.push(caller)
      return caller
    })
    for (const caller of opened) await caller.dispose()
  },
  page: async ({ context, complaints }, use, info) => {
    const page = await context.newPage()
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await use(page)
    if (info.status !== info.expectedStatus && !page.isClosed())
      await info.attach('screenshot', { body: await page.screenshot(), contentType: 'image/png' })
    // A refetch that is cut off by the end of the journey is not a failure.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(unprovoked(complaints)).toEqual([])
  },
})

/** For a journey that begins before there is a manager: with a product of its own. */
export const testAlone = test.extend<object, Pick<Workers, 'product'>>({ product: [runProduct, { scope: 'worker' }] })

/** With a product whose page registers the service worker. */
export const testWithWorker = test.extend<object, Pick<Workers, 'product'>>({
  product: [runProductWithWorker, { scope: 'worker' }],
})

export { expect }

let number = 0
/** An unused address, also when several workers run. */
export const freshAddress = (name = 'fellow') => `${name}.${process.pid}.${Date.now()}.${++number}@mit.edu`

/** Today as the browser of a journey shows it. */
export const today = () =>
  new Date().toLocaleDateString('en-GB', {
    timeZone: 'Europe/Berlin',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })

/** A word that only this journey's records contain, because journeys share a product. */
export const own = (word: string) => `${word}${process.pid}x${++number}`

/** In place of the id of a record. */
export const SOME_ID = '00000000-0000-7000-8000-000000000000'

/** The screens of the signed-in person. */
export const SCREENS = [
  '/',
  '/founders',
  '/founders/add',
  '/companies',
  '/companies/add',
  '/my-records',
  '/inbox',
  '/account',
  '/share',
  '/pipeline',
  '/duplicates',
  '/duplicates/merge',
  '/changes',
  '/export',
  '/waiting',
  `/founders/${SOME_ID}`,
  `/companies/${SOME_ID}`,
]

export const PASSWORD = 'a long enough password'

/** Signs up through the screens, and ends on the dashboard. */
export async function signUp(page: Page, { name = 'Ada Lovelace', email = freshAddress() } = {}) {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue to Platform' }).click()
  await page.getByLabel('Full Name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Join Venture Fellows' }).click()
  await expect(toast(page, 'Account created successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  return { name, email }
}

export async function signIn(page: Page, email: string) {
  await page.goto('/auth')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue to Platform' }).click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Access Platform' }).click()
  await expect(toast(page, 'Welcome back!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
}

/** A toast, found by its announcement. */
export const toast = (page: Page, text: string | RegExp) =>
  page.locator('[role=status], [role=alert]').filter({ hasText: text })

/** Who calls the API: the browser of a page, or a client without one. */
export type Caller = Page | APIRequestContext

/** The drafts that the tab of a page stores. */
export const keptIn = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.startsWith('draft:')))

/** The window of a journey that chooses no other. */
export const DESKTOP = { width: 1440, height: 900 }

/**
 * Opens an address in the product as a link does, without loading the page again. To the page it looks like Forward, which
 * would only close a dialog.
 */
export async function follow(page: Page, path: string) {
  const dialog = page.getByRole('dialog')
  if ((await dialog.count()) > 0) {
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  await page.evaluate(async (path) => {
    const [title, { pathname }] = [document.title, location]
    const place = { usr: null, key: crypto.randomUUID().slice(0, 8), idx: (history.state?.idx ?? 0) + 1 }
    history.pushState(place, '', path)
    dispatchEvent(new PopStateEvent('popstate', { state: place }))
    // The page that is left stays until the next one is rendered, which may have the same title.
    const end = Date.now() + 2000
    do await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }))
    while (location.pathname !== pathname && document.title === title && Date.now() < end)
  }, path)
}

/** The same, but loads the page where the product is not open yet, or shows the sign-in. */
export async function visit(page: Page, path: string) {
  const { protocol, pathname } = new URL(page.url())
  const isOpen = protocol !== 'about:' && pathname !== '/healthz' && !pathname.startsWith('/auth')
  await (isOpen ? follow(page, path) : page.goto(path))
}

/** Calls the API with the cookies and token of the page's browser or of a caller. The body is not checked. */
export async function callApi(caller: Caller, method: string, path: string, data?: unknown) {
  const isPage = 'request' in caller
  const cookies = isPage ? await caller.context().cookies() : (await caller.storageState()).cookies
  const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const answer = await (isPage ? caller.request : caller).fetch(`/api${path}`, {
    method,
    headers: { 'x-xsrf-token': token },
    ...(data !== undefined && { data }),
  })
  const text = await answer.text()
  return { status: answer.status(), body: text ? JSON.parse(text) : undefined }
}

/** Signs up without the screens, for journeys about other screens. */
export async function join(caller: Caller, { name = 'Ada Lovelace', email = freshAddress() } = {}) {
  await callApi(caller, 'GET', '/auth/me')
  const { status } = await callApi(caller, 'POST', '/auth/register', { email, password: PASSWORD, name })
  expect(status).toBe(201)
  return { name, email }
}

/** Holds one call back until `release`, to check the loading state. `answer`, if given, is then the response. */
export async function hold(page: Page, path: string, answer?: { status: number; json: unknown }) {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`**/api${path}`, async (route) => {
    await held
    if (answer) await route.fulfill(answer)
    else await route.continue()
  })
  return () => release()
}

/** Never responds to the live stream: it reports no change, and is not the first call that gets a 401. */
export const holdLiveStream = (page: Page) => hold(page, '/events?*')

/** Lets one call fail. Browsers write failed calls to the console, which is then expected. */
export const failWith = (page: Page, path: string, status: number, body: unknown) =>
  page.route(`**/api${path}`, (route) => route.fulfill({ status, json: body }))

/** The statuses that each journey provoked. The page may repeat a call after the journey has checked. */
const provoked = new WeakMap<string[], string[]>()

const unprovoked = (complaints: string[]) =>
  complaints.filter((complaint) => !provoked.get(complaints)?.some((status) => complaint.includes(status)))

/** Expects only these statuses, or calls and scripts without a network, in the console until the end of the journey. */
export const expectNoComplaintsButOf = (
  complaints: string[],
  ...statuses: (number | 'ERR_INTERNET_DISCONNECTED' | 'preload' | 'dynamically imported module')[]
) => {
  provoked.set(complaints, [...(provoked.get(complaints) ?? []), ...statuses.map(String)])
  expect(unprovoked(complaints)).toEqual([])
}

type ColorScheme = 'light' | 'dark'

/** The axe rules about colours. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** The axe of the package that reports its findings to journeys. */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

type Found = { id: string; nodes: { html: string }[] }

/**
 * What axe finds. Behind a dialog is a screen that is checked by itself, so only the dialog is. The script of axe stays
 * in the page, because compiling it takes as long as a check.
 */
async function violationsIn(page: Page, rules?: string[]) {
  const run = () =>
    page.evaluate(async (rules) => {
      type Run = (context: unknown, options: object) => Promise<{ violations: Found[] }>
      const { axe } = window as unknown as { axe?: { run: Run } }
      if (!axe) return undefined
      const options = { resultTypes: ['violations'], selectors: false, preload: false }
      const dialog = [...document.querySelectorAll('[role=dialog][aria-modal=true]')].at(-1)
      const { violations } = await axe.run(dialog ?? document, {
        ...options,
        ...(rules && { runOnly: { type: 'rule', values: rules } }),
      })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    }, rules)
  const found = await run()
  if (found) return found
  await page.evaluate(AXE)
  return (await run()) ?? ['axe is not there']
}

/** Expects no axe violation in light and in dark mode, which differ only in colours. It begins with the one that is shown. */
export async function expectAccessible(page: Page, colorSchemes: readonly ColorScheme[] = ['dark', 'light']) {
  const html = page.locator('html')
  const shown = await html.getAttribute('data-mantine-color-scheme')
  const inOrder = colorSchemes.toSorted((one, other) => Number(other === shown) - Number(one === shown))
  for (const colorScheme of inOrder) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(html).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    const rules = colorScheme === inOrder[0] ? undefined : COLOR_RULES
    expect(await violationsIn(page, rules), colorScheme).toEqual([])
  }
}

/** Expects no axe violation of colours in forced colours either, in the scheme that is shown. */
export async function expectAccessibleInForcedColors(page: Page) {
  await page.emulateMedia({ forcedColors: 'active' })
  expect(await violationsIn(page, COLOR_RULES), 'forced colours').toEqual([])
  await page.emulateMedia({ forcedColors: 'none' })
}

/** Expects no sideways scrolling at this width. */
export async function expectNoSidewaysScroll(page: Page) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}

/** Expects none on a desktop, a tablet and a phone either. */
export async function expectNoSidewaysScrollAtAnyWidth(page: Page) {
  const before = page.viewportSize()
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expectNoSidewaysScroll(page)
  }
  if (before) await page.setViewportSize(before)
}
