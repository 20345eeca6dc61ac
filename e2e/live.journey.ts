import type { Page } from '@playwright/test'
import { callApi, expect, join, own, test } from './product.ts'

const FOUNDER = { linkedIn: 'https://www.linkedin.com/in/l', notes: 'Met.' }
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

/** Another fellow's browser, with nothing of the first one's. */
test.describe('Two fellows side by side', () => {
  test('a record and its notes that one adds, changes and deletes appear with the other', async ({
    page,
    browser,
    product,
  }) => {
    const context = await browser.newContext({ baseURL: product.url })
    const other = await context.newPage()
    await join(other, { name: 'The Other' })
    await join(page)
    const name = own('Live')
    await page.goto(`/founders?search=${name}`)
    await expect(page.getByText('No founders found')).toBeVisible()

    const { id } = (await callApi(other, 'POST', '/founders', { ...FOUNDER, name })).body
    await expect(card(page, name)).toBeVisible({ timeout: 3000 })

    const { note } = (await callApi(other, 'POST', `/notes/founder/${id}`, { content: 'Seen at once' })).body
    await expect(card(page, name)).toContainText('Seen at once', { timeout: 3000 })

    await card(page, name)
      .getByRole('button', { name: /View all 1 note/ })
      .click()
    const box = page.getByRole('textbox', { name: 'New note' })
    await box.fill('Being typed')
    await callApi(other, 'POST', `/notes/founder/${id}`, { content: 'While you type' })
    await expect(page.getByRole('dialog')).toContainText('While you type', { timeout: 3000 })
    await expect(box).toHaveValue('Being typed')
    await expect(box).toBeFocused()
    await callApi(other, 'DELETE', `/notes/founder/${id}/${note.id}`)
    await expect(page.getByRole('dialog')).not.toContainText('Seen at once', { timeout: 3000 })
    await page.keyboard.press('Escape')

    await callApi(other, 'PUT', `/founders/${id}`, { rating: 9 })
    await expect(card(page, name)).toContainText('9/10', { timeout: 3000 })
    await callApi(other, 'DELETE', `/founders/${id}`)
    await expect(card(page, name)).toBeHidden({ timeout: 3000 })
    await context.close()
  })

  test('eight tabs of one browser share one stream, and the eighth works', async ({ page, context }) => {
    await join(page)
    let streams = 0
    context.on('request', (request) => {
      if (request.url().endsWith('/api/events')) streams += 1
    })
    const tabs = [page]
    for (let count = 1; count < 8; count += 1) tabs.push(await context.newPage())
    for (const tab of tabs) {
      await tab.goto('/founders')
      await expect(tab.getByRole('heading', { name: 'Search Founders' })).toBeVisible()
    }
    await expect.poll(() => streams).toBe(1)
    const name = own('Tabs')
    await callApi(page, 'POST', '/founders', { ...FOUNDER, name })
    await expect(card(tabs[7] as Page, name)).toBeVisible({ timeout: 5000 })
  })
})
