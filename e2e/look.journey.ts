import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { CONTEXT_OPTIONS } from './context-options.ts'
import { test as base, expect, expectAccessible, expectNoSidewaysScroll, PASSWORD, startProduct } from './product.ts'

// The small world of `npm run seed` at the widths that fellows use.

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
const BOTTOM_BAR = 60
const GAP = 12

const seed = (folder: string) =>
  promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/seed.ts'], {
    env: { DATA_DIR: folder },
  })

const test = base.extend<object, object>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that it needs from this pattern
    async ({}, use) => {
      const product = await startProduct({}, undefined, seed)
      await use(product)
      await product.stop()
    },
    { scope: 'worker' },
  ],
})

test.describe.configure({ mode: 'default' })

/** Signs in as a fellow of the small world. */
async function open(page: Page, path: string) {
  await page.goto('/auth')
  await page.getByLabel('Email').fill('maya.okafor@stanford.edu')
  await page.getByRole('button', { name: 'Continue to Platform' }).click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Access Platform' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.goto(path)
  await expect(cards(page).first()).toBeVisible()
  await expect(page.getByRole('status', { name: /^Loading/ })).toBeHidden()
}

const cards = (page: Page) => page.getByRole('main').getByRole('article')

/** Every founder has two finders, and one has notes that another fellow edited. */
const shareFinders = (page: Page) =>
  page.route('**/api/founders?*', async (route) => {
    const answer = await route.fetch()
    const rows: { createdBy: string }[] = await answer.json()
    const shared = rows.map((row, place) => ({
      ...row,
      finders: { names: [row.createdBy, 'Hana Kobayashi'], count: 2, mine: place % 2 === 0 },
      ...(place === 0 && { notesEditedBy: 'Hana Kobayashi', notesEditedAt: new Date().toISOString() }),
    }))
    await route.fulfill({ response: answer, json: shared })
  })

/** Expects that any `count` cards after each other fit between the top of the list and the end of the window. */
async function expectRowsToFit(page: Page, count: number, end: number) {
  await expect.poll(() => cards(page).count()).toBeGreaterThan(count)
  const top = (await cards(page).first().boundingBox())?.y ?? 0
  const heights = await cards(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  expect(heights.length).toBeGreaterThan(10)
  const rows = heights.slice(count - 1).map((_, first) => heights.slice(first, first + count))
  for (const row of rows) {
    const height = row.reduce((sum, one) => sum + one, (count - 1) * GAP)
    expect(top + height, `cards of ${row.join(', ')} px below ${top} px`).toBeLessThanOrEqual(end)
  }
}

test.describe('Of the small world, with bios, notes and finders,', () => {
  test('five founder cards are in 1440 × 900', async ({ page }) => {
    await page.setViewportSize(DESKTOP)
    await shareFinders(page)
    await open(page, '/founders')
    await expectRowsToFit(page, 5, DESKTOP.height)
  })

  test('four cards of My Records are in 1440 × 900, and a card that becomes a form grows by at most 24 px', async ({
    page,
  }) => {
    await page.setViewportSize(DESKTOP)
    await shareFinders(page)
    await open(page, '/my-records')
    await expectRowsToFit(page, 4, DESKTOP.height)
    for (const place of [0, 5]) {
      const one = cards(page).nth(place)
      const before = (await one.boundingBox())?.height ?? 0
      await one.getByRole('button', { name: /^Edit/ }).click()
      await expect(one.getByRole('button', { name: 'Save Changes' })).toBeVisible()
      expect((await one.boundingBox())?.height).toBeLessThanOrEqual(before + 24)
      await one.getByRole('button', { name: 'Cancel' }).click()
    }
  })

  test('two founder cards are in 390 × 844, above the bottom bar', async ({ browser, product }) => {
    const page = await browser.newPage({ ...CONTEXT_OPTIONS, baseURL: product.url, hasTouch: true, viewport: PHONE })
    await shareFinders(page)
    await open(page, '/founders')
    await expectRowsToFit(page, 2, PHONE.height - BOTTOM_BAR)
    await expectNoSidewaysScroll(page)
    await page.close()
  })
})

test('On a card of founders, bio and notes share the width; without a bio the notes begin at the left', async ({
  page,
}) => {
  await page.setViewportSize(DESKTOP)
  await open(page, '/founders?search=Oliver Grant')
  const nameOf = () => cards(page).getByRole('heading', { level: 2 }).boundingBox()
  const notesOf = () => cards(page).getByText('Original Notes').boundingBox()
  expect((await notesOf())?.x).toBeLessThan(((await nameOf())?.x ?? 0) + 24)
  await page.goto('/founders?search=Kwame Asante')
  await expect(cards(page).getByText('Radar for small farms')).toBeVisible()
  expect((await notesOf())?.x).toBeGreaterThan(800)
})

test('Cards of founders are accessible in light and dark mode, on a desktop and a phone', async ({ page }) => {
  await shareFinders(page)
  await open(page, '/founders')
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    await expectAccessible(page)
  }
})

test('The name on a card is a link to the page of the record', async ({ page }) => {
  await open(page, '/founders')
  const link = cards(page).first().getByRole('heading', { level: 2 }).getByRole('link')
  await expect(link).toHaveAttribute('href', /^\/founders\/[0-9a-f-]{36}$/)
})
