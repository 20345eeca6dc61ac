import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, type ConsoleMessage, expect, type Page } from '@playwright/test'

/** The product as an operator starts it: the real server, its embedded database in a folder of its own. */
export type Product = { url: string; stop: () => Promise<void> }

export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'sourcebook-journey-'))
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await addressOf(server)
  return {
    url,
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const addressOf = (server: ChildProcess) =>
  new Promise<string>((resolve, reject) => {
    let said = ''
    server.stdout?.on('data', (chunk) => {
      said += chunk
      const port = /http:\/\/localhost:(\d+)/.exec(said)?.[1]
      if (port) resolve(`http://localhost:${port}`)
    })
    server.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready`)))
  })

/** Browsers say of the very first `me` that it was a 401; that one line is expected. */
const isExpected = (message: ConsoleMessage) =>
  message.text().includes('401') && message.location().url.endsWith('/api/auth/me')

type Fixtures = {
  /** What this page's console said that it should not have; a journey that provokes a failure empties it. */
  complaints: string[]
}

/** Journeys of one file share a product; each has a fresh browser, whose console must stay clean. */
export const test = base.extend<Fixtures, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that it needs from this pattern
    async ({}, use) => {
      const product = await startProduct()
      await use(product)
      await product.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ product }, use) => use(product.url),
  complaints: async ({ page }, use) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !isExpected(message)) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await use(complaints)
    expect(complaints).toEqual([])
  },
  page: async ({ page }, use) => use(page),
})

test.beforeEach(({ complaints }) => {
  expect(complaints).toEqual([])
})

export { expect }

let number = 0
/** An address that nobody has used, also when several workers run. */
export const freshAddress = (name = 'fellow') => `${name}.${process.pid}.${Date.now()}.${++number}@mit.edu`

export const PASSWORD = 'a long enough password'

/** Goes through sign-up as a person does, and ends on the dashboard. */
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

/** A toast, as it is announced. */
export const toast = (page: Page, text: string | RegExp) =>
  page.locator('[role=status], [role=alert]').filter({ hasText: text })

/** Calls the API as the page would, with its cookies and its token. */
export const callApi = (page: Page, method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([verb, url, payload]) => {
      const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
      const answer = await fetch(`/api${url}`, {
        method: verb as string,
        headers: { 'content-type': 'application/json', 'x-xsrf-token': decodeURIComponent(token) },
        ...(payload !== undefined && { body: JSON.stringify(payload) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text ? JSON.parse(text) : undefined }
    },
    [method, path, body] as const,
  )

/** Nothing that axe knows of keeps anyone out of this screen. */
export async function expectAccessible(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

/** No sideways scrolling at this width. */
export async function expectNoSidewaysScroll(page: Page) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}
