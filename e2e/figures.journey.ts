import { fullWeek, pagesIn } from './full-week.ts'
import { operate } from './operator.ts'
import { setPipeline, stageNamed } from './pipeline.ts'
import {
  callApi,
  DESKTOP,
  expect,
  expectAccessible,
  expectNoSidewaysScrollAtAnyWidth,
  freshAddress,
  join,
  own,
  test,
} from './product.ts'
import { addFounder } from './records.ts'
import { walk } from './walk.ts'

test.describe('The figures', () => {
  test('of a fellow appear without a reload, and open exactly their records, with a chip', async ({ page }) => {
    await join(page)
    await page.goto('/my-records')
    const opening = walk(page)
    await opening.pressByKey('link', 'My figures')
    opening.expectActs(1)
    await expect(page).toHaveURL('/my-figures')
    await expect(page.getByText('Nothing here yet')).toBeVisible()
    const name = own('Ada')
    await addFounder(page, { name, rating: 9 })
    await expect(page.getByRole('link', { name: '1, rated 8 to 10, You' })).toBeVisible()
    await test.step('are a funnel with bars from the label, in which reaching Met counts as having been Contacted', async () => {
      const ids: string[] = []
      for (let more = 0; more < 12; more += 1) ids.push((await addFounder(page, { rating: more < 4 ? 9 : 5 })).id)
      const met = await stageNamed(page, 'Met')
      for (const id of ids.slice(0, 6)) await setPipeline(page, id, { stage: met })
      const funnel = page.getByRole('table', { name: 'Outcomes' })
      for (const name of ['Contacted', 'Met'])
        await expect(funnel.getByRole('row', { name })).toHaveText(new RegExp(`^${name}6.*· 46 %$`))
      await expect(funnel.getByRole('row', { name: 'In review' })).toContainText('0')
      const cell = funnel.getByRole('row', { name: 'Met' })
      const label = await cell.getByRole('rowheader').boundingBox()
      const number = await cell.getByRole('link').boundingBox()
      const whole = await funnel.getByRole('row', { name: 'Found' }).getByRole('link').boundingBox()
      const barsFrom = (label?.x ?? 0) + (label?.width ?? 0)
      expect(label?.width, 'a bar begins right after its label').toBeLessThanOrEqual(128)
      const share = ((number?.x ?? 0) - barsFrom) / ((whole?.x ?? 1) - barsFrom)
      expect(share).toBeGreaterThan(0.4)
      expect(share).toBeLessThan(0.55)
    })
    await test.step('are small charts beside their numbers; every number has a link in a target of 24 px or more', async () => {
      await expect(page.locator('.recharts-bar-rectangle')).not.toHaveCount(0)
      await page.setViewportSize({ width: 390, height: 844 })
      const links = page.getByRole('main').getByRole('table').getByRole('link')
      const boxes = await links.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
      expect(boxes.length).toBeGreaterThan(6)
      for (const { left, right, width, height } of boxes) {
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
        expect(left).toBeGreaterThanOrEqual(0)
        expect(right).toBeLessThanOrEqual(390)
      }
      await page.setViewportSize(DESKTOP)
    })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('My figures')
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    const download = page.waitForEvent('download')
    const saving = walk(page)
    await saving.pressByKey('button', /CSV/)
    saving.expectActs(1)
    expect((await download).suggestedFilename()).toMatch(/\.csv$/)
    const records = walk(page)
    await records.pressByKey('link', '5, rated 8 to 10, You')
    records.expectActs(1)
    await expect(page).toHaveURL(/\/founders\?cohort=/)
    await expect(page.getByRole('article')).toHaveCount(5)
    await expect(page.getByRole('article', { name })).toBeVisible()
    await expect(page.getByText('Rated 8 to 10 when you added them')).toBeVisible()
    await page.goBack()
    await page.locator('main').getByText('Companies', { exact: true }).click()
    await expect(page).toHaveURL('/my-figures?kind=company')
    await expect(page.getByText('Nothing here yet')).toBeVisible()
  })

  test('of the programme are for managers, by quarter or month, with quality', async ({ page, product }) => {
    const email = freshAddress('manager')
    await join(page, { name: 'Mira Manager', email })
    const ada = own('Ada')
    await addFounder(page, { name: ada })
    await operate(product, 'accounts', 'make-manager', email)
    await page.goto('/programme')
    await page.getByRole('link', { name: 'This week', exact: true }).press('Enter')
    await expect(page).toHaveTitle('This week · Programme · Sourcebook')
    const added = page.getByRole('link', { name: /^\d+, founders?, Found by, Mira Manager$/ })
    await expect(added).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText(/^Printed by Mira Manager, .* It contains personal data\.$/)).toBeVisible()
    await page.emulateMedia({ media: null })
    await test.step('a week of 300 new, 200 moved and 80 passed by 60 fellows prints on at most two pages', async () => {
      await page.route('**/api/programme/week/*', (route) => route.fulfill({ json: fullWeek() }))
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Late next steps' })).toBeVisible()
      const margin = { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' }
      for (const format of ['A4', 'Letter']) expect(pagesIn(await page.pdf({ format, margin }))).toBe(2)
      await page.unroute('**/api/programme/week/*')
      await page.reload()
    })
    await added.press('Enter')
    await expect(page.getByText(/^Found by: Mira Manager, week \d+ of \d{4}, as of now$/)).toBeVisible()
    await expect(page.getByRole('article', { name: ada })).toBeVisible()
    await page.goto('/programme')
    await page.getByRole('link', { name: 'Figures', exact: true }).press('Enter')
    await expect(page).toHaveTitle('Figures · Programme · Sourcebook')
    const byDate = page.getByRole('table', { name: 'By date added' })
    await expect(byDate).toBeVisible()
    await expect(page.getByRole('table', { name: 'Quality' })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect
      .poll(() => byDate.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
      .toBeLessThanOrEqual(0)
    await expectAccessible(page, ['light'])
    await page.setViewportSize(DESKTOP)
    await page.getByText('Months', { exact: true }).click()
    await expect(page).toHaveURL('/programme/figures?period=month')
    await expect(byDate.getByRole('row').nth(2)).toContainText(new Date().toISOString().slice(0, 7))
    expect((await callApi(page, 'GET', '/programme/quality')).status).toBe(200)
    await page
      .getByRole('table', { name: 'Quality' })
      .getByRole('link', { name: /Founders, No public data found/ })
      .press('Enter')
    await expect(page).toHaveURL('/founders?quality=unmatched')
  })
})
