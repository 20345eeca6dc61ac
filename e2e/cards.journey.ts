import type { Page } from '@playwright/test'
import { callApi, expect, join, own, test } from './product.ts'

// How cards stand in a list: how high they are, what the browser finds in them, and that nothing moves.

const FOUNDER = { linkedIn: 'https://www.linkedin.com/in/c', notes: 'Met at the demo day.' }

const INFO = JSON.stringify({
  current_title: 'CEO',
  current_company: 'Analytical Engines',
  bio: 'Builds machines that reckon.',
  email: 'ada@example.com',
})

const cards = (page: Page) => page.getByRole('main').getByRole('article')

/** Founders with five short lines: name, title, bio, links, notes. */
async function openShortFounders(page: Page, count: number, until: Promise<void> = Promise.resolve()) {
  await join(page)
  const word = own('S')
  for (let index = 0; index < count; index += 1)
    await callApi(page, 'POST', '/founders', { ...FOUNDER, name: `${word} ${index}` })
  await page.route('**/api/founders?*', async (route) => {
    await until
    const answer = await route.fetch()
    const rows: object[] = await answer.json()
    await route.fulfill({ response: answer, json: rows.map((row) => ({ ...row, additionalInfo: INFO })) })
  })
  await page.goto(`/founders?search=${word}`)
}

/** Founders whose notes differ in length, shown from the newest on. */
async function openMany(page: Page, count: number) {
  await join(page)
  const word = own('Many')
  for (let index = 0; index < count; index += 1)
    await callApi(page, 'POST', '/founders', {
      ...FOUNDER,
      name: `${word} ${index}`,
      notes: 'Met again. '.repeat(1 + (index % 9) * 4),
    })
  await page.goto(`/founders?search=${word}`)
  await expect(page.getByText(`${count} founders`)).toBeVisible()
}

/** Scrolls on until the first of the founders, the last in the list, is there. */
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

test.describe('A card of five short lines', () => {
  for (const { width, height, count, bar } of WINDOWS) {
    test(`stands ${count} times in a window of ${width} × ${height}`, async ({ page }) => {
      await page.setViewportSize({ width, height })
      await openShortFounders(page, count + 1)
      await expect(cards(page)).toHaveCount(count + 1)
      const box = await cards(page)
        .nth(count - 1)
        .boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? height)).toBeLessThanOrEqual(height - bar)
      if (width === 1440) expect(box?.height).toBeLessThanOrEqual(132)
    })

    test(`is as high as the place that was kept for it, at ${width}`, async ({ page }) => {
      await page.setViewportSize({ width, height })
      let release = () => {}
      await openShortFounders(page, 2, new Promise((resolve) => (release = resolve)))
      const places = page.getByRole('status', { name: 'Loading founders' })
      await expect(places).toBeVisible()
      const kept = await places.locator('> *').first().boundingBox()
      release()
      await expect(places).toBeHidden()
      expect(await cards(page).first().boundingBox()).toEqual(kept)
    })
  }
})

test('Notes stand on one side, also on the card of a company that has nothing else', async ({ page }) => {
  await join(page)
  const word = own('Side')
  await callApi(page, 'POST', '/companies', { name: `${word} 1`, notes: 'Only notes.' })
  await callApi(page, 'POST', '/companies', { name: `${word} 2`, notes: 'With more.', description: 'Makes things.' })
  await page.goto(`/companies?search=${word}`)
  const notes = page.getByRole('heading', { name: 'Original Notes' })
  await expect(notes).toHaveCount(2)
  const [one, other] = [await notes.first().boundingBox(), await notes.last().boundingBox()]
  expect(one?.x).toBeGreaterThan(800)
  expect(one?.x).toBe(other?.x)
})

test.describe('A long list', () => {
  test.describe.configure({ timeout: 120_000 })

  test('of up to 200 loaded rows is there as a whole, for the search of the browser', async ({ page }) => {
    await openMany(page, 60)
    await scrollToEnd(page)
    await expect(cards(page)).toHaveCount(60)
  })

  for (const count of [200, 230]) {
    test(`of ${count} cards shifts nothing while one scrolls up`, async ({ page }) => {
      await openMany(page, count)
      await scrollToEnd(page)
      const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name: / 0$/ }) })
      await expect(row).toHaveAttribute('aria-posinset', String(count))
      if (count > 200) expect(await cards(page).count(), 'only those near the window').toBeLessThan(100)
      else await expect(cards(page)).toHaveCount(count)
      await page.evaluate(() => {
        const seen = window as unknown as { shift: number }
        seen.shift = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift' })
      })
      for (let step = 0; step < 200 && (await page.evaluate(() => window.scrollY)) > 0; step += 1) {
        const before = await page.evaluate(() => window.scrollY)
        await page.mouse.wheel(0, -700)
        await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(Math.max(0, before - 700))
      }
      await expect(cards(page).first()).toBeInViewport()
      expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBe(0)
    })
  }
})
