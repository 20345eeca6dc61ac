import type { Locator } from '@playwright/test'
import { withDashboard } from './dashboard-answer.ts'
import { DESKTOP, expect, join, test, visit } from './product.ts'
import { addCompany, addFounder } from './records.ts'

/** Of the rows of a list of recent records. */
const rowHeights = (list: Locator) =>
  list
    .getByRole('heading', { level: 3 })
    .locator('xpath=../..')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))

test.describe('The layout of the dashboard', () => {
  test('has the counts above the chart in the first screen, and what was added this week', async ({ page }) => {
    await join(page)
    await test.step('at 1440 × 900 has the counts in a row of 72 px above the chart, which is in the first screen', async () => {
      for (let index = 0; index < 6; index += 1) {
        await addFounder(page)
        await addCompany(page, { website: 'https://firm.example' })
      }
      await visit(page, '/')
      const chart = await page.getByRole('region', { name: 'Fellow Sourcing Performance' }).boundingBox()
      const counts = page.getByRole('main').locator('dl').locator('..')
      await expect(counts).toHaveCount(2)
      const boxes = [await counts.first().boundingBox(), await counts.last().boundingBox()]
      if (!chart) throw new Error('The chart is not drawn')
      for (const box of boxes) {
        expect(box?.y).toBe(boxes[0]?.y)
        expect(box?.height).toBe(72)
        expect((box?.y ?? 0) + 72).toBeLessThan(chart.y)
      }
      expect(chart.y + chart.height).toBeLessThanOrEqual(900)
      for (const name of ['Recent Founders', 'Recent Companies']) {
        const list = page.getByRole('region', { name })
        await expect(list.getByRole('heading', { level: 3 }).getByRole('link')).toHaveCount(5)
        expect(await rowHeights(list)).toEqual([56, 56, 56, 56, 56])
      }
    })
    await test.step('on phones the recents stand before the chart, for the eye and for the keyboard', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      const parts = page
        .getByRole('main')
        .getByRole('region')
        .filter({ has: page.getByRole('heading', { level: 2 }) })
      await expect(parts.getByRole('heading', { level: 2 })).toHaveText([
        'Recent Founders',
        'Recent Companies',
        'Fellow Sourcing Performance',
      ])
      const tops = await parts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
      expect(tops).toEqual(tops.toSorted((one, other) => one - other))
      expect(await rowHeights(parts.first())).toEqual([56, 56, 56, 56, 56])
      await page.setViewportSize(DESKTOP)
    })
    await test.step('a count card is a link to its records, wherever it is clicked', async () => {
      await page
        .getByText('Companies Sourced')
        .locator('xpath=ancestor::dl/..')
        .click({ position: { x: 200, y: 60 } })
      await expect(page).toHaveURL('/companies')
      await page.goBack()
      await page.getByRole('link', { name: 'Founders Sourced' }).press('Enter')
      await expect(page).toHaveURL('/founders')
      await expect(page.getByRole('article').first()).toBeVisible()
    })
    await test.step('shows what was added this week; with one fellow the bars are not too wide', async () => {
      const fellows = [{ createdBy: 'Ada', founders: 1, companies: 1 }]
      await withDashboard(page, { fellows, week: { founders: 12, companies: 1 } })
      await page.goto('/')
      const cards = page.getByRole('main').locator('dl').locator('..')
      await expect(cards).toHaveText([/\+12 in seven days$/, /\+1 in seven days$/])
      await expect(cards.first().locator('..').locator('> *')).toHaveCount(2)
      const bars = page.locator('.recharts-bar-rectangle path')
      await expect(bars).toHaveCount(2)
      const sizes = () =>
        bars.evaluateAll((paths) =>
          paths.map((path) => (path as SVGPathElement).getBBox()).map(({ width, height }) => ({ width, height })),
        )
      // Bars grow as they are drawn.
      let before: Awaited<ReturnType<typeof sizes>> = []
      await expect(async () => {
        const now = await sizes()
        const isStill = now.every(({ height }, index) => height > 0 && height === before[index]?.height)
        before = now
        expect(isStill).toBe(true)
      }).toPass({ intervals: [200] })
      for (const { width, height } of before) {
        expect(width).toBeLessThan(60)
        expect(height).toBeLessThan(100)
      }
    })
  })
})
