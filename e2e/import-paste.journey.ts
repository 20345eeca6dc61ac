import { filter, upload } from './import-screen.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  failWith,
  join,
  own,
  test,
  visit,
} from './product.ts'
import { walk } from './walk.ts'

test.describe('Rows pasted from a spreadsheet', () => {
  test('become an import by keyboard alone, are kept when the upload fails or the page is reloaded, and can be discarded', async ({
    page,
    complaints,
  }) => {
    await join(page)
    await test.step('can be pasted on the screen itself, and discarded after a question', async () => {
      await visit(page, '/import')
      await expect(page.getByRole('button', { name: 'Paste rows' })).toBeVisible()
      await page.evaluate(() => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', 'Name\tNotes\nAda\tMet')
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
      })
      await expect(page.getByLabel('Rows from a spreadsheet')).toHaveValue('Name\tNotes\nAda\tMet')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).press('Enter')
      await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
      await page.reload()
      await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
    })
    await test.step('become an import by keyboard alone, and are kept when the upload fails or the page is reloaded', async () => {
      await visit(page, '/import')
      const name = own('Pasted')
      const text = `Name\tLinkedIn\tNotes\n${name}\tlinkedin.com/in/${name}\t"Two\nlines"\n`
      const { pressByKey, fill, expectActs } = walk(page)
      await pressByKey('button', 'Paste rows')
      const box = page.getByLabel('Rows from a spreadsheet')
      await expect(box).toBeFocused()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Paste the rows first')).toBeVisible()
      await fill('Rows from a spreadsheet', text)
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await expectNoSidewaysScroll(page)
      await page.setViewportSize({ width: 1440, height: 900 })

      await failWith(page, '/imports?*', 409, { error: 'You have 20 imports that have not run. Delete one first.' })
      await page.getByRole('button', { name: 'Continue' }).press('Enter')
      await expect(page.getByRole('alert')).toContainText('Delete one first.')
      await expect(box).toHaveValue(text)
      expectNoComplaintsButOf(complaints, 409)
      await page.unroute('**/api/imports?*')
      await page.reload()
      await expect(box).toHaveValue(text)

      await pressByKey('button', 'Continue')
      expectActs(3)
      await page.waitForURL(/[?&]id=/)
      await expect(page.getByText('pasted.tsv')).toBeVisible()
      await visit(page, `${page.url()}&step=preview`)
      await expect(filter(page, 'New 1')).toBeVisible({ timeout: 30_000 })
      await expect(page.getByRole('row', { name })).toContainText('Two lines')

      // What was uploaded is not offered again.
      await visit(page, '/import')
      await expect(page.getByRole('button', { name: 'Paste rows' })).toBeVisible()
    })
  })
})

test.describe('An upload', () => {
  test('shows its progress and can be cancelled, and the same file can be chosen again', async ({ page }) => {
    await join(page)
    // Never answered.
    await page.route('**/api/imports?name=*', () => {})
    const file = { name: 'slow.csv', buffer: Buffer.from(`Name\n${own('Slow')}\n`) }
    await upload(page, file)
    await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeAttached()
    await expect(page.getByRole('status').filter({ hasText: 'slow.csv' })).toBeFocused()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveText('')
    await page.unroute('**/api/imports?name=*')
    expect((await callApi(page, 'GET', '/imports')).body).toEqual([])
    await upload(page, file)
    await expect(page.getByText('slow.csv')).toBeVisible({ timeout: 30_000 })
  })
})
