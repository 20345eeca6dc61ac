import { expectState, filter, importCall, manyFounders, preview, step } from './import-screen.ts'
import { callApi, expect, expectAccessible, expectNoComplaintsButOf, join, own, test, visit } from './product.ts'

// Large enough that a person can stop it in the middle.
const MANY = 2_500

test.describe('An import that is ended by a person', () => {
  test('is cancelled while it is read, and can be read again; while it runs, what is in stays and is reverted', {
    tag: '@slow',
  }, async ({ page }) => {
    test.slow()
    await join(page)
    const name = own('Many')
    await preview(page, { name: 'many.csv', buffer: manyFounders(name, MANY) })
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await expect(step(page, 'Failed')).toBeFocused({ timeout: 30_000 })
    await expect(page.getByRole('alert')).toContainText('Cancelled')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Read again' }).press('Enter')
    await expectState(page, 'ready')

    // The preview again, which the address names.
    await page.getByRole('button', { name: `Import ${MANY.toLocaleString('en')} founders` }).press('Enter')
    await expect(step(page, 'Importing')).toBeFocused()
    await expect.poll(async () => (await callApi(page, 'GET', importCall(page))).body.done).toBeGreaterThan(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Stop importing' }).press('Enter')
    await expect(step(page, 'Cancelled')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(/^Cancelled\. Until then: [\d,]+ founders added/)).toBeFocused()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Revert' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).press('Enter')
    await expect(step(page, 'Reverted')).toBeVisible({ timeout: 60_000 })
    await visit(page, `/founders?search=${name}`)
    await expect(page.getByText('No founders found')).toBeVisible()
  })

  test('is deleted from the list after a question, and leaves its records', { tag: '@slow' }, async ({
    page,
    complaints,
  }) => {
    await join(page)
    const name = own('Deleted')
    await preview(page, { name: 'gone.csv', buffer: Buffer.from(`Name\n${name}\n`) })
    await page.getByRole('button', { name: 'Import 1 founder' }).click()
    await expect(page.getByText('1 founder added.')).toBeVisible({ timeout: 30_000 })
    const address = page.url()
    await preview(page, { name: 'never-run.csv', buffer: Buffer.from(`Name\n${name}\n`) })
    await expect(filter(page, 'All rows 1')).toBeVisible({ timeout: 30_000 })

    await visit(page, '/import')
    await expect(page.getByRole('listitem').filter({ hasText: 'gone.csv' })).toContainText('Founders · ')
    await page.getByRole('button', { name: 'Delete gone.csv' }).press('Enter')
    await expect(page.getByRole('dialog')).toContainText('Its records stay.')
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Delete gone.csv' })).toBeFocused()
    await expectAccessible(page)
    for (const file of ['gone.csv', 'never-run.csv']) {
      await page.getByRole('button', { name: `Delete ${file}` }).press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
      await expect(page.getByRole('link', { name: file })).toHaveCount(0)
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await visit(page, address)
    await expect(page.getByText('Import not found')).toBeVisible()
    expectNoComplaintsButOf(complaints, 404)
    await visit(page, `/founders?search=${name}`)
    await expect(page.getByRole('article', { name })).toBeVisible()
  })
})
