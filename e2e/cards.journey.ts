import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, join, own, startProduct, test } from './product.ts'
import { addCompany, addFounder } from './records.ts'

// The layout of cards in a list: their height, the text that the browser finds, and no layout shift.

const INFO = JSON.stringify({
  current_title: 'CEO',
  current_company: 'Analytical Engines',
  bio: 'Builds machines that reckon.',
  email: 'ada@example.com',
})

const cards = (page: Page) => page.getByRole('main').getByRole('article')

/** Founders with five short lines: name, title, bio, links, notes. */
async function openShortFounders(page: Page, count: number, until: Promise<void>) {
  const word = own('S')
  for (let index = 0; index < count; index += 1)
    await addFounder(page, { name: `${word} ${index}`, notes: 'Met at the demo day.' })
  await page.route('**/api/founders?*', async (route) => {
    await until
    const answer = await route.fetch()
    const rows: object[] = await answer.json()
    await route.fulfill({ response: answer, json: rows.map((row) => ({ ...row, additionalInfo: INFO })) })
  })
  await page.goto(`/founders?search=${word}`)
}

/** Adds founders by their numbers. Their notes differ in length, and no two founders are similar. */
async function addFounders(page: Page, from: number, count: number) {
  for (let index = from; index < count; index += 1) {
    const unlike = randomBytes(6).toString('hex')
    await addFounder(page, { name: `${unlike} ${index}`, notes: 'Met again. '.repeat(1 + (index % 9) * 4) })
  }
}

/** Scrolls until the first founder, the last in the list, is visible. */
async function scrollToEnd(page: Page) {
  const last = page.getByRole('heading', { level: 2, name: / 0$/ })
  for (let step = 0; step < 100 && !(await last.isVisible()); step += 1) {
    await page.mouse.wheel(0, 4000)
    await page.waitForTimeout(50)
  }
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()
}

const WINDOWS = [
  { width: 1440, height: 900, count: 5, bar: 0 },
  { width: 390, height: 844, count: 2, bar: 60 },
]

test('A card of five short lines is as high as its placeholder, and fits 5 times into a desktop and 2 times into a phone', async ({
  page,
}) => {
  await join(page)
  for (const { width, height, count, bar } of WINDOWS)
    await test.step(`${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      let release = () => {}
      await openShortFounders(page, count + 1, new Promise((resolve) => (release = resolve)))
      const places = page.getByRole('status', { name: 'Loading founders' })
      await expect(places).toBeVisible()
      const kept = await places.locator('> *').first().boundingBox()
      release()
      await expect(places).toBeHidden()
      await expect(cards(page)).toHaveCount(count + 1)
      expect(await cards(page).first().boundingBox()).toEqual(kept)
      const box = await cards(page)
        .nth(count - 1)
        .boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? height)).toBeLessThanOrEqual(height - bar)
      if (width === 1440) expect(box?.height).toBeLessThanOrEqual(132)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
})

test('Notes are in the right column; on the card of a company that has only notes, they begin at the left', async ({
  page,
}) => {
  await join(page)
  const word = own('Side')
  await addCompany(page, { name: `${word} 1`, notes: 'Only notes.' })
  await addCompany(page, { name: `${word} 2`, notes: 'With more.', description: 'Makes things.' })
  await page.goto(`/companies?search=${word}`)
  const notes = page.getByRole('heading', { name: 'Original Notes' })
  await expect(notes).toHaveCount(2)
  const [one, other] = [await notes.first().boundingBox(), await notes.last().boundingBox()]
  expect(one?.x).toBeGreaterThan(800)
  expect(other?.x).toBeLessThan(500)
})

/** Scrolls up through many screens, and fails when any drawn element moves. */
async function expectNoShiftUpwards(page: Page) {
  await page.evaluate(() => {
    const seen = window as unknown as { shift: number }
    seen.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift' })
  })
  const scrollY = () => page.evaluate(() => window.scrollY)
  let at = await scrollY()
  for (let screen = 0; screen < 15; screen += 1) {
    await page.mouse.wheel(0, -700)
    // A row that turns out lower or higher than estimated moves the scroll position, and nothing that is drawn.
    await expect.poll(scrollY, { intervals: [50] }).toBeLessThan(at - 400)
    at = await scrollY()
  }
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBe(0)
}

test('A list of up to 200 rows is rendered in full, a longer one only near the viewport; nothing shifts when scrolling up', {
  tag: '@slow',
}, async ({ browser }) => {
  const product = await startProduct()
  const page = await browser.newPage({ baseURL: product.url })
  await join(page)
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name: / 0$/ }) })
  for (const [before, count] of [
    [0, 200],
    [200, 201],
  ] as const) {
    await addFounders(page, before, count)
    await page.goto('/founders')
    await expect(page.getByText(`${count} founders`)).toBeVisible()
    await scrollToEnd(page)
    await expect(row).toHaveAttribute('aria-posinset', String(count))
    if (count > 200) expect(await cards(page).count(), 'only those near the window').toBeLessThan(100)
    else await expect(cards(page)).toHaveCount(count)
    await expectNoShiftUpwards(page)
  }
  await page.close()
  await product.stop()
})
