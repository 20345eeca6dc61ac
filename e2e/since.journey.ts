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

  test('has new records, which lead to exactly those, with a chip, and are cleared when they are opened, and says how much is for me', {
    tag: '@slow',
  }, async ({ page, openCaller }) => {
    const tom = await openCaller()
    await join(tom)
    const { name: me } = await join(page, { name: own('Ada') })
    const { body: found } = await callApi(tom, 'GET', `/fellows?${new URLSearchParams({ search: me })}`)
    const [founder, other] = [await addFounder(tom, { name: own('New') }), await addFounder(tom, { name: own('New') })]
    const company = await addCompany(tom, { name: own('Firm') })
    await callApi(tom, 'PUT', `/records/${company.id}/pipeline`, { responsible: found[0].id, version: 0 })
    // The number is there once the transactions of other journeys have ended.
    await expect(async () => {
      await page.goto('/')
      await expect(line(page)).toContainText('2 new founders', { timeout: 1_000 })
    }).toPass()
    await expect(line(page).getByRole('link')).toHaveText(['2 new founders', '1 new company', '1 for you'])
    await expect(page.getByRole('banner').getByRole('link', { name: 'Inbox 1 for you' })).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)

    await line(page).getByRole('link', { name: '2 new founders' }).press('Enter')
    await expect(page).toHaveURL(/\/founders\?cohort=/)
    await expect(page.getByRole('article')).toHaveCount(2)
    for (const { name } of [founder, other]) await expect(page.getByRole('article', { name })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Remove filter: Added since you were last here' }).click()
    await expect(page).not.toHaveURL(/cohort/)
    await page.goto('/')
    await expect(line(page).getByRole('link')).toHaveText(['1 new company', '1 for you'])

    await line(page).getByRole('link', { name: '1 for you' }).click()
    await expect(page).toHaveURL('/inbox')
    await page.getByRole('button', { name: /^Done: .* responsible for Firm/ }).click()
    await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible()
    await page.goto('/')
    await expect(line(page).getByRole('link')).toHaveText(['1 new company'])
  })
})
