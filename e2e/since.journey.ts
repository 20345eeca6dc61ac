import type { Page } from '@playwright/test'
import type { Since } from '../contract/since.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  join,
  own,
  testAlone as test,
} from './product.ts'
import { addCompany, addFounder } from './records.ts'

const line = (page: Page) => page.getByRole('navigation', { name: 'Since you were last here' })

// One product for the file.
test.describe.configure({ mode: 'default' })

test.describe('Since you were last here', () => {
  test('is absent without anything new, and does not appear while one is here', async ({
    page,
    openCaller,
    complaints,
  }) => {
    await join(page)
    await page.goto('/')
    await expect(page.getByText('Founders Sourced')).toBeVisible()
    await expect(line(page)).toBeHidden()
    const tom = await openCaller()
    await join(tom)
    const { name } = await addFounder(tom, { name: own('Ada') })
    await expect(page.getByRole('region', { name: 'Recent Founders' })).toContainText(name)
    await expect(line(page)).toBeHidden()

    await test.step('a link of another account opens the list without its number', async () => {
      const ann = await openCaller()
      await join(ann)
      const { name } = await addFounder(ann, { name: own('Any') })
      let cohort = ''
      await expect(async () => {
        cohort = ((await callApi(tom, 'GET', '/since')).body as Since).founders.founder?.cohort ?? ''
        expect(cohort).not.toBe('')
      }).toPass()
      await page.goto(`/founders?${new URLSearchParams({ cohort, sort: 'rating' })}`)
      await expect(page).toHaveURL(/\/founders\?sort=rating$/)
      await expect(page.getByRole('article', { name })).toBeVisible()
      expectNoComplaintsButOf(complaints, 400)
    })
  })

  test('has numbers that lead to exactly those records, with a chip, and clears each when it is opened', {
    tag: '@slow',
  }, async ({ page, openCaller }) => {
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
    await page.getByRole('button', { name: 'Remove filter: New notes since you were last here' }).click()
    await expect(page).not.toHaveURL(/cohort/)
    await expect(page.getByRole('article', { name: founder.name })).toBeVisible()

    await page.goto('/')
    await line(page).getByRole('link', { name: '1 company waiting for your opinion' }).click()
    await expect(page).toHaveURL(/\/companies\?opinion=missing$/)
    await expect(page.getByRole('article')).toHaveCount(1)
    await page.goto('/')
    await expect(line(page)).toContainText('1 company waiting for your opinion')
    await callApi(page, 'PUT', `/records/${company.id}/opinion`, { rating: 5 })
    await page.goto('/companies')
    await page.goto('/')
    await expect(line(page)).not.toContainText('waiting for your opinion')
  })
})
