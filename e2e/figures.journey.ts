import { operate } from './operator.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoSidewaysScrollAtAnyWidth,
  freshAddress,
  join,
  own,
  test,
} from './product.ts'
import { addFounder } from './records.ts'

test.describe('The figures', () => {
  test('of a fellow appear without a reload, and open exactly their records, with a chip', async ({ page }) => {
    await join(page)
    await page.goto('/my-records')
    await page.getByRole('link', { name: 'My figures' }).press('Enter')
    await expect(page).toHaveURL('/my-figures')
    await expect(page.getByText('Nothing here yet')).toBeVisible()
    const name = own('Ada')
    await addFounder(page, { name, rating: 9 })
    await expect(page.getByRole('link', { name: '1, rated 8 to 10, You' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('My figures')
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).press('Enter')
    expect((await download).suggestedFilename()).toMatch(/\.csv$/)
    await page.getByRole('link', { name: '1, rated 8 to 10, You' }).press('Enter')
    await expect(page).toHaveURL(/\/founders\?cohort=/)
    await expect(page.getByRole('article')).toHaveCount(1)
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
    await addFounder(page, { name: own('Ada') })
    await operate(product, 'accounts', 'make-manager', email)
    await page.goto('/programme')
    await page.getByRole('link', { name: 'Figures', exact: true }).press('Enter')
    await expect(page).toHaveTitle('Figures · Programme · Sourcebook')
    const added = page.getByRole('table', { name: 'By date added' })
    await expect(added).toBeVisible()
    await expect(page.getByRole('table', { name: 'Quality' })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    await page.getByText('Months', { exact: true }).click()
    await expect(page).toHaveURL('/programme/figures?period=month')
    await expect(added.getByRole('row').nth(2)).toContainText(new Date().toISOString().slice(0, 7))
    expect((await callApi(page, 'GET', '/programme/quality')).status).toBe(200)
    await page
      .getByRole('table', { name: 'Quality' })
      .getByRole('link', { name: /Founders, No public data found/ })
      .press('Enter')
    await expect(page).toHaveURL('/founders?quality=unmatched')
  })
})
