import { withDashboard } from './dashboard-answer.ts'
import { callApi, expect, join, own, test } from './product.ts'

test.describe('The layout of the dashboard', () => {
  test('says what was added this week', async ({ page }) => {
    await join(page)
    const fellows = [{ createdBy: 'Ada', founders: 12, companies: 1 }]
    await withDashboard(page, { fellows, week: { founders: 12, companies: 1 } })
    await page.goto('/')
    await expect(page.getByText('Fellows added 12 founders and 1 company in the last 7 days.')).toBeVisible()
  })

  test('at 1440 × 900 has counts beside the chart, and both lists in the first screen', async ({ page }) => {
    await join(page)
    for (let index = 0; index < 5; index += 1) {
      await callApi(page, 'POST', '/founders', {
        name: own('First'),
        linkedIn: 'https://www.linkedin.com/in/d',
        notes: 'Met.',
      })
      await callApi(page, 'POST', '/companies', { name: own('Screen'), website: 'https://firm.example', notes: 'n' })
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

  test('with one fellow the bars are no giants', async ({ page }) => {
    await join(page)
    await withDashboard(page, { fellows: [{ createdBy: 'Ada', founders: 1, companies: 1 }] })
    await page.goto('/')
    const bars = page.locator('.recharts-bar-rectangle path')
    await expect(bars.first()).toBeVisible()
    await page.waitForTimeout(2000)
    const boxes = await bars.evaluateAll((paths) =>
      paths.map((path) => (path as SVGPathElement).getBBox()).map(({ width, height }) => ({ width, height })),
    )
    for (const { width, height } of boxes) {
      expect(width).toBeLessThan(60)
      expect(height).toBeLessThan(100)
    }
  })
})
