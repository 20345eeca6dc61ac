import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { CONTEXT_OPTIONS } from './context-options.ts'
import {
  test as base,
  callApi,
  DESKTOP,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  PASSWORD,
  startProduct,
  visit,
} from './product.ts'
import { smallTargets } from './targets.ts'

// The small world of `npm run seed` at the widths that fellows use.

const PHONE = { width: 390, height: 844 }
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
    // Seeding takes long on a busy machine.
    { scope: 'worker', timeout: 300_000 },
  ],
})

test.describe.configure({ mode: 'default' })

/** Opens a list as a fellow of the small world, who signs in without the screens. */
async function open(page: Page, path: string, email = 'maya.okafor@stanford.edu') {
  if (page.url() === 'about:blank') {
    await callApi(page, 'GET', '/auth/me')
    expect((await callApi(page, 'POST', '/auth/login', { email, password: PASSWORD })).status).toBe(200)
  }
  await visit(page, path)
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
  await expect.poll(() => cards(page).count()).toBeGreaterThan(10)
  const top = (await cards(page).first().boundingBox())?.y ?? 0
  const heights = await cards(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  expect(heights.length).toBeGreaterThan(10)
  const rows = heights.slice(count - 1).map((_, first) => heights.slice(first, first + count))
  for (const row of rows) {
    const height = row.reduce((sum, one) => sum + one, (count - 1) * GAP)
    expect(top + height, `cards of ${row.join(', ')} px below ${top} px`).toBeLessThanOrEqual(end)
  }
}

/** Where on its card the text of a part begins, or that of a box. */
const placeOfText = (element: Element) => {
  const card = element.closest('article') as Element
  const place = document.createRange()
  place.selectNodeContents(element.lastElementChild ?? element)
  const isBox = element instanceof HTMLTextAreaElement
  const { left, top } = (isBox ? element : place).getBoundingClientRect()
  const { borderLeftWidth, borderTopWidth, paddingLeft, paddingTop } = getComputedStyle(element)
  const inset = (...sizes: string[]) => (isBox ? sizes.reduce((sum, size) => sum + Number.parseFloat(size), 0) : 0)
  return {
    x: left + inset(borderLeftWidth, paddingLeft) - card.getBoundingClientRect().left,
    y: top + inset(borderTopWidth, paddingTop) - card.getBoundingClientRect().top,
  }
}

/** Screens whose targets are measured. */
const TOUCHED = [
  '/',
  '/founders',
  '/founders?view=table',
  '/my-records',
  '/pipeline',
  '/duplicates',
  '/my-figures',
  '/import',
]

async function openScreen(page: Page, path: string) {
  await visit(page, path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

test.describe('Of the small world, with bios, notes and finders,', () => {
  test('Cards of founders and of My Records fit into the window of a desktop and of a phone, accessible in light and dark mode', {
    tag: '@slow',
  }, async ({ page, browser, product }) => {
    await test.step('five founder cards are in 1440 × 900', async () => {
      await page.setViewportSize(DESKTOP)
      await shareFinders(page)
      await open(page, '/founders')
      await expectRowsToFit(page, 5, DESKTOP.height)
      await page.setViewportSize(DESKTOP)
    })
    await test.step('Cards of founders are accessible in light and dark mode, on a desktop and a phone', async () => {
      await shareFinders(page)
      await open(page, '/founders')
      for (const size of [DESKTOP, PHONE]) {
        await page.setViewportSize(size)
        await expectAccessible(page)
      }
      await page.setViewportSize(DESKTOP)
    })
    await test.step('four cards of My Records are in 1440 × 900; one that becomes a form grows by at most 48 px, for its labels and buttons, and its notes stay where they were read', async () => {
      await page.setViewportSize(DESKTOP)
      await shareFinders(page)
      await open(page, '/my-records')
      await expectRowsToFit(page, 4, DESKTOP.height)
      for (const place of [0, 5]) {
        const one = cards(page).nth(place)
        const before = (await one.boundingBox())?.height ?? 0
        const read = await one.locator('section', { hasText: 'Original Notes' }).evaluate(placeOfText)
        await one.getByRole('button', { name: /^Edit/ }).click()
        await expect(one.getByRole('button', { name: 'Save Changes' })).toBeVisible()
        expect((await one.boundingBox())?.height).toBeLessThanOrEqual(before + 48)
        for (const label of ['Notes', 'Rating'])
          expect((await one.getByText(label, { exact: true }).boundingBox())?.height).toBeGreaterThan(10)
        const typed = await one.getByRole('textbox', { name: 'Notes' }).evaluate(placeOfText)
        expect(Math.abs(typed.x - read.x)).toBeLessThan(2)
        expect(Math.abs(typed.y - read.y)).toBeLessThan(4)
        await one.getByRole('button', { name: 'Cancel' }).click()
      }
      await page.setViewportSize(DESKTOP)
    })
    await test.step('two founder cards are in 390 × 844, above the bottom bar; every button, field and box is 40 px to touch', async () => {
      const page = await browser.newPage({ ...CONTEXT_OPTIONS, baseURL: product.url, hasTouch: true, viewport: PHONE })
      await shareFinders(page)
      await open(page, '/founders')
      await expectRowsToFit(page, 2, PHONE.height - BOTTOM_BAR)
      await expectNoSidewaysScroll(page)
      for (const path of TOUCHED) {
        await openScreen(page, path)
        expect(await smallTargets(page, 40), path).toEqual([])
      }
      await page.close()
    })
    await test.step('every target is at least 24 px', async () => {
      for (const path of TOUCHED) {
        await openScreen(page, path)
        expect(await smallTargets(page, 24), path).toEqual([])
      }
    })
  })
})

test('On a desktop the cards of founders lead to records, finders and notes', async ({ page }) => {
  await test.step('Fields and buttons have the same ring of 2 px when the keyboard is on them', async () => {
    await open(page, '/founders')
    const rings: string[] = []
    for (const one of [page.getByRole('searchbox'), page.getByRole('button', { name: /^Refresh/ }).first()]) {
      await one.focus()
      await page.keyboard.press('Shift')
      rings.push(await one.evaluate((element) => getComputedStyle(element).outline))
    }
    await visit(page, '/account')
    const password = page.getByLabel('Current password')
    await password.focus()
    expect(await password.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('none')
    const field = page.locator('.mantine-PasswordInput-input').first()
    rings.push(await field.evaluate((element) => getComputedStyle(element).outline))
    expect(rings[0]).toMatch(/ 2px$/)
    expect(rings).toEqual([rings[0], rings[0], rings[0]])
  })
  await test.step('The name on a card is a link to the page of the record', async () => {
    await open(page, '/founders')
    const link = cards(page).first().getByRole('heading', { level: 2 }).getByRole('link')
    await expect(link).toHaveAttribute('href', /^\/founders\/[0-9a-f-]{36}$/)
  })
  await test.step('I met them too on a card says where the record is now, offers a note, and can be taken back', async () => {
    await page.route('**/api/founders?*', async (route) => {
      const answer = await route.fetch()
      const rows: { createdBy: string }[] = await answer.json()
      const finders = { names: ['Priya Raman'], count: 1, mine: false }
      await route.fulfill({ response: answer, json: rows.map((row) => ({ ...row, finders })) })
    })
    await open(page, '/founders?search=Kwame Asant')
    const one = cards(page).first()
    await expect(one).not.toContainText('Found by')
    await one.getByRole('button', { name: /^I met them too/ }).click()
    await expect(one.getByRole('status')).toContainText('the record is in My Records now')
    await expect(one.getByRole('link', { name: 'My Records' })).toHaveAttribute(
      'href',
      '/my-records?search=Kwame+Asante',
    )
    await one.getByRole('button', { name: /^Add a note as a finder/ }).click()
    await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
    await page.keyboard.press('Escape')
    await one.getByRole('button', { name: /^Take it back/ }).click()
    await expect(one.getByRole('button', { name: /^I met them too/ })).toBeVisible()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
  await test.step('A note that is too long has a red counter and a red sentence, in a box that keeps its colours', async () => {
    await open(page, '/founders?search=Daniel Osei')
    await page.getByRole('button', { name: /^View all/ }).click()
    const box = page.getByRole('textbox', { name: 'New note' })
    const colours = () =>
      box.evaluate((element) => [getComputedStyle(element).color, getComputedStyle(element).borderColor])
    await box.fill('word')
    const before = await colours()
    await box.fill('word '.repeat(220))
    const sentence = page.getByText('Note must be less than 1000 characters')
    const red = await sentence.evaluate((element) => getComputedStyle(element).color)
    await expect(page.getByText('1099/1000')).toHaveCSS('color', red)
    expect((await colours())[0]).toBe(before[0])
    expect((await colours())[1]).not.toBe(red)
    await page.keyboard.press('Escape')
    await expect(box).toBeHidden()
  })
})

test('The bars and chips fit a tablet and a phone', async ({ page, complaints }) => {
  await test.step('On a phone the content comes before the bottom bar, on a wide screen the sidebar before the content', async () => {
    await open(page, '/founders')
    const isNavFirst = () =>
      page.evaluate(() => {
        const [nav, main] = ['nav', 'main'].map((name) => document.querySelector(name))
        return Boolean(nav && main && nav.compareDocumentPosition(main) & Node.DOCUMENT_POSITION_FOLLOWING)
      })
    await page.setViewportSize(DESKTOP)
    await expect.poll(isNavFirst).toBe(true)
    await page.setViewportSize(PHONE)
    await expect.poll(isNavFirst).toBe(false)
    await page.setViewportSize(DESKTOP)
  })
  await test.step('Chips of filters scroll in their line on a phone, and hints of buttons do not widen a screen', async () => {
    await page.setViewportSize(PHONE)
    await open(page, '/founders?ratingMin=3&hasNotes=true&sort=rating&addedAfter=2020-01-01')
    await expect(page.getByRole('button', { name: 'Clear all' })).toBeAttached()
    await expectNoSidewaysScroll(page)
    await visit(page, '/my-records')
    await expect(cards(page).first()).toBeVisible()
    for (const width of [1440, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      await expectNoSidewaysScroll(page)
    }
    await page.setViewportSize(DESKTOP)
  })
  await test.step('At 768 pixels the top bar has the name beside its mark, the whole name and address of the person, and the counts are in a row of 72 px', async () => {
    await page.setViewportSize({ width: 768, height: 1024 })
    await open(page, '/founders')
    await expect(page.getByRole('banner').getByText('Sourcebook', { exact: true })).toBeVisible()
    const person = page.getByRole('banner').getByRole('link', { name: 'Account' }).locator('bdi, bdi + span')
    await expect(person).toHaveText(['Maya Okafor', 'maya.okafor@stanford.edu'])
    for (const one of await person.all())
      expect(await one.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await visit(page, '/')
    await expect(page.getByText('Companies Sourced')).toBeVisible()
    for (const one of await page.getByRole('main').locator('dl').locator('..').all())
      await expect.poll(async () => (await one.boundingBox())?.height).toBe(72)
    await page.setViewportSize(DESKTOP)
  })
  await test.step('Offline is said over the lower edge of the top bar, over no button and not over the title', async () => {
    await page.setViewportSize(PHONE)
    await open(page, '/founders')
    await page.context().setOffline(true)
    const bar = await page.getByText('You are offline.').boundingBox()
    const button = await page.getByRole('banner').getByRole('button', { name: 'Add' }).boundingBox()
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    await page.context().setOffline(false)
    expectNoComplaintsButOf(complaints, 'ERR_INTERNET_DISCONNECTED')
    if (!bar || !button || !title) throw new Error('Not all are drawn')
    expect(bar.y).toBeGreaterThanOrEqual(button.y + button.height)
    expect(bar.y).toBeLessThan(56)
    expect(bar.y + bar.height).toBeLessThanOrEqual(title.y)
  })
})

test('The history of a record offers Undo merge only to fellows who may undo it', async ({
  page,
  browser,
  product,
}) => {
  const other = await browser.newPage({ ...CONTEXT_OPTIONS, baseURL: product.url })
  for (const [one, email, count] of [
    [other, 'therrera@cs.cmu.edu', 1],
    [page, 'maya.okafor@stanford.edu', 0],
  ] as const) {
    await open(one, '/founders?search=Daniel Osei', email)
    const merges = one.waitForResponse(/\/merges$/)
    await one.getByRole('button', { name: 'History of Daniel Osei' }).click()
    await (await merges).finished()
    // Until the response is rendered.
    await one.evaluate(() => new Promise((done) => setTimeout(done, 100)))
    const dialog = one.getByRole('dialog', { name: 'Daniel Osei' })
    await expect(dialog).toContainText('merged Dan Osei into this record')
    await expect(dialog.getByRole('button', { name: 'Undo merge' })).toHaveCount(count)
  }
  await other.close()
})
