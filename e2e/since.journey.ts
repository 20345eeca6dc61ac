import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScrollAtAnyWidth, join, own, test } from './product.ts'
import { addCompany, addFounder } from './records.ts'

const line = (page: Page) => page.getByRole('navigation', { name: 'Since you were last here' })

test.describe('Since you were last here', () => {
  test('is absent without anything new, and does not appear while one is here', async ({ page, openCaller }) => {
    await join(page)
    await page.goto('/')
    await expect(page.getByText('Founders Sourced')).toBeVisible()
    await expect(line(page)).toBeHidden()
    const tom = await openCaller()
    await join(tom)
    const { name } = await addFounder(tom, { name: own('Ada') })
    await expect(page.getByRole('region', { name: 'Recent Founders' })).toContainText(name)
    await expect(line(page)).toBeHidden()
  })

  test('has numbers that lead to exactly those records, with a chip, and clears each when it is opened', async ({
    page,
    openCaller,
  }) => {
    const tom = await openCaller()
    await join(tom)
    await join(page)
    const mine = await addFounder(page, { name: own('Mine') })
    const [founder, other] = [await addFounder(tom, { name: own('New') }), await addFounder(tom, { name: own('New') })]
    const company = await addCompany(tom, { name: own('Firm') })
    await callApi(tom, 'POST', `/notes/founder/${mine.id}`, { content: 'Met them too' })
    await callApi(tom, 'PUT', `/records/${company.id}/opinion`, { rating: 9 })
    // The number is there once the transactions of other journeys have ended.
    await expect(async () => {
      await page.goto('/')
      await expect(line(page)).toContainText('2 new founders', { timeout: 1_000 })
      await expect(line(page)).toContainText('1 company waiting for your opinion', { timeout: 1_000 })
    }).toPass()
    await expect(line(page).getByRole('link')).toHaveText([
      '2 new founders',
      '1 new company',
      'notes on 1 of your founders',
      '1 company waiting for your opinion',
    ])
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)

    await line(page).getByRole('link', { name: '2 new founders' }).press('Enter')
    await expect(page).toHaveURL(/\/founders\?cohort=/)
    await expect(page.getByRole('article')).toHaveCount(2)
    for (const { name } of [founder, other]) await expect(page.getByRole('article', { name })).toBeVisible()
    await expectAccessible(page)
    await page.goto('/')
    await expect(line(page).getByRole('link')).toHaveText([
      '1 new company',
      'notes on 1 of your founders',
      '1 company waiting for your opinion',
    ])

    await line(page).getByRole('link', { name: 'notes on 1 of your founders' }).click()
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(page.getByRole('article', { name: mine.name })).toBeVisible()
    await page.getByRole('button', { name: 'Remove filter: Since you were last here' }).click()
    await expect(page).not.toHaveURL(/cohort/)
    await expect(page.getByRole('article', { name: founder.name })).toBeVisible()
  })
})
