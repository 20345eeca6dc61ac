import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScrollAtAnyWidth, join, own, test } from './product.ts'
import { addCompany, addFounder, card } from './records.ts'

const filters = (page: Page) => page.getByRole('button', { name: /^Filters/ })

test.describe('Filters and sorts', () => {
  test('are in the address, as chips, and stay by reload, back and forward', async ({ page }) => {
    await join(page)
    const word = own('Filtered')
    for (const rating of [3, 7, 9]) await addFounder(page, { name: `${word} ${rating}`, rating })
    await page.goto(`/founders?search=${word}&ratingMin=5&sort=rating&unknown=1&addedAfter=2026-02-31`)
    await expect(page.getByRole('article')).toHaveCount(2)
    await expect(page.getByRole('article').first()).toContainText(`${word} 9`)
    await expect(page.getByText('Rating 5–10')).toBeVisible()
    await filters(page).click()
    await page.getByLabel('Rating to').selectOption('8')
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(page).toHaveURL(/ratingMax=8/)
    await page.reload()
    await expect(card(page, `${word} 7`)).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('article')).toHaveCount(2)
    await page.goForward()
    await expect(page.getByRole('article')).toHaveCount(1)
    await page.getByRole('button', { name: 'Clear all' }).first().click()
    await expect(page.getByRole('article')).toHaveCount(3)
    await expect(page).not.toHaveURL(/rating/)
  })

  test('say that nothing matches, and follow changes live', async ({ page }) => {
    await join(page)
    const word = own('Live')
    const { id, version } = await addCompany(page, { name: word })
    await page.goto(`/companies?industry=${word}`)
    await expect(page.getByText('No companies match these filters')).toBeVisible()
    await callApi(page, 'PATCH', `/companies/${id}`, { industry: word, version })
    await expect(card(page, word)).toBeVisible()
  })

  test('fit at every width, and pass the accessibility check', async ({ page }) => {
    await join(page)
    await addFounder(page, { name: own('Fit') })
    await page.goto('/founders?ratingMin=1&sort=rating')
    await filters(page).click()
    await expect(page.getByRole('combobox', { name: 'Found by' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expectNoSidewaysScrollAtAnyWidth(page)
  })
})

test.describe('Below the results of a search', () => {
  test('are records that mention the term, and similar names', async ({ page }) => {
    await join(page)
    const word = own('zebra')
    const { id } = await addFounder(page, { name: own('Mentioned') })
    await callApi(page, 'POST', `/notes/founder/${id}`, { content: `Talked about ${word} at length` })
    await page.goto(`/founders?search=${word}`)
    await expect(page.getByText('No founders found')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Also mentioned' })).toBeVisible()
    await expect(page.locator('mark', { hasText: word })).toBeVisible()
    const surname = own('Castañeda')
    const name = `José ${surname}`
    await addFounder(page, { name })
    await page.goto(`/founders?search=${surname.replace('ñ', 'n')} jose`)
    await expect(page.getByRole('heading', { name: 'Similar' })).toBeVisible()
    await expect(page.getByRole('link', { name }).first()).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('The table', () => {
  test('shows 25 rows in a window of 900 pixels, and sorts by its headers', async ({ page }) => {
    await join(page)
    const word = own('Row')
    for (let row = 0; row < 26; row += 1) await addFounder(page, { name: `${word} ${row}`, rating: (row % 10) + 1 })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/founders?search=${word}&view=table`)
    const rows = page.getByRole('row').filter({ hasText: word })
    await expect(rows.first()).toBeVisible()
    const inSight = await rows.evaluateAll(
      (all) => all.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length,
    )
    expect(inSight).toBeGreaterThanOrEqual(25)
    await page.getByRole('columnheader', { name: 'Rating' }).getByRole('button').click()
    await expect(page).toHaveURL(/sort=rating/)
    await expect(rows.first()).toContainText('10/10')
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    await page.getByRole('link', { name: `${word} 9`, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: `${word} 9` })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/view=table/)
  })
})
