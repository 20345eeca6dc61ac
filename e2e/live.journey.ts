import type { Page } from '@playwright/test'
import { callApi, expect, join, own, test } from './product.ts'
import { addFounder, card } from './records.ts'

test.describe('Two fellows at the same time', () => {
  test('a record and its notes that one adds, changes and deletes are updated for the other', async ({
    page,
    openCaller,
  }) => {
    const other = await openCaller()
    await join(other, { name: 'The Other' })
    await join(page)
    const name = own('Live')
    await page.goto(`/founders?search=${name}`)
    await expect(page.getByText('No founders found')).toBeVisible()

    const { id } = await addFounder(other, { name })
    await expect(card(page, name)).toBeVisible()

    const { note } = (await callApi(other, 'POST', `/notes/founder/${id}`, { content: 'Seen immediately' })).body
    await expect(card(page, name)).toContainText('Seen immediately')

    await card(page, name)
      .getByRole('button', { name: /View note/ })
      .click()
    const box = page.getByRole('textbox', { name: 'New note' })
    await box.fill('Being typed')
    await callApi(other, 'POST', `/notes/founder/${id}`, { content: 'While you type' })
    await expect(page.getByRole('dialog')).toContainText('While you type')
    await expect(box).toHaveValue('Being typed')
    await expect(box).toBeFocused()
    await callApi(other, 'DELETE', `/notes/founder/${id}/${note.id}`)
    await expect(page.getByRole('dialog')).not.toContainText('Seen immediately')
    await page.keyboard.press('Escape')

    await callApi(other, 'PUT', `/founders/${id}`, { rating: 9 })
    await expect(card(page, name)).toContainText('9/10')
    await callApi(other, 'DELETE', `/founders/${id}`)
    await expect(card(page, name)).toBeHidden()
  })

  test('a reader deep in a long list keeps the scroll position, and a change costs one request', {
    tag: '@slow',
  }, async ({ page }) => {
    await join(page)
    const word = own('Deep')
    const ids: string[] = []
    for (let index = 0; index < 80; index += 1) {
      ids.push((await addFounder(page, { name: `${word} ${index}` })).id)
    }
    await page.goto(`/founders?search=${word}`)
    await expect(page.getByText('80 founders')).toBeVisible()
    const read = card(page, `${word} 25`)
    for (let step = 0; step < 60 && !(await read.isVisible()); step += 1) {
      await page.mouse.wheel(0, 1500)
      await page.waitForTimeout(100)
    }
    await read.scrollIntoViewIfNeeded()
    await page.mouse.wheel(0, -100)
    await page.waitForTimeout(500)
    const place = await read.boundingBox()

    let asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/founders')) asked.push(new URL(request.url()).pathname)
    })
    await callApi(page, 'PUT', `/founders/${ids[25]}`, { rating: 9 })
    await expect(read).toContainText('9/10')
    expect(asked).toEqual([`/api/founders/${ids[25]}`])

    asked = []
    await addFounder(page, { name: `${word} new` })
    await expect(page.getByText('81 founders')).toBeVisible()
    expect(asked).toEqual(['/api/founders'])
    expect(await read.boundingBox()).toEqual(place)

    asked = []
    await callApi(page, 'DELETE', `/founders/${ids[79]}`)
    await expect(page.getByText('80 founders')).toBeVisible()
    expect(asked).toEqual([])
    expect(await read.boundingBox()).toEqual(place)

    await page.evaluate(() => window.scrollTo(0, 0))
    await expect(page.getByRole('article').first()).toHaveAccessibleName(`${word} new`)
  })

  test('eight tabs of one browser share one stream, and the eighth works', { tag: '@slow' }, async ({
    page,
    context,
  }) => {
    await join(page)
    let streams = 0
    context.on('request', (request) => {
      if (request.url().includes('/api/events?')) streams += 1
    })
    const name = own('Tabs')
    const tabs = [page]
    for (let count = 1; count < 8; count += 1) tabs.push(await context.newPage())
    for (const tab of tabs) {
      await tab.goto(`/founders?search=${name}`)
      await expect(tab.getByRole('heading', { name: 'Search Founders' })).toBeVisible()
    }
    await expect.poll(() => streams).toBe(1)
    await addFounder(page, { name })
    await expect(card(tabs[7] as Page, name)).toBeVisible()
  })
})
