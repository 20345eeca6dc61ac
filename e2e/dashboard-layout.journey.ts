import { withDashboard } from './dashboard-answer.ts'
import { expect, join, test } from './product.ts'
import { addCompany, addFounder } from './records.ts'

test.describe('The layout of the dashboard', () => {
  test('at 1440 × 900 has counts beside the chart, and both lists of the newest 5 in the first screen', async ({
    page,
  }) => {
    await join(page)
    for (let index = 0; index < 6; index += 1) {
      await addFounder(page)
      await addCompany(page, { website: 'https://firm.example' })
    }
    await page.goto('/')
    const chart = await page.getByRole('region', { name: 'Fellow Sourcing Performance' }).boundingBox()
    const count = await page.getByRole('main').locator('dl').first().boundingBox()
    if (!chart || !count) throw new Error('Not all are drawn')
    expect(count.x + count.width).toBeLessThanOrEqual(chart.x)
    expect(count.y).toBeGreaterThanOrEqual(chart.y)
    for (const name of ['Recent Founders', 'Recent Companies']) {
      const list = page.getByRole('region', { name })
      await expect(list.getByRole('heading', { level: 3 })).toHaveCount(5)
      const place = await list.boundingBox()
      expect(place && place.y + place.height).toBeLessThanOrEqual(900)
    }
  })

  test('shows what was added this week; with one fellow the bars are not too wide', async ({ page }) => {
    await join(page)
    const fellows = [{ createdBy: 'Ada', founders: 1, companies: 1 }]
    await withDashboard(page, { fellows, week: { founders: 12, companies: 1 } })
    await page.goto('/')
    await expect(page.getByText('Fellows added 12 founders and 1 company in the last 7 days.')).toBeVisible()
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
