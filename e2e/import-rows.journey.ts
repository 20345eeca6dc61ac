import { filter, preview, step, upload } from './import-screen.ts'
import { callApi, DESKTOP, expect, expectAccessible, expectNoSidewaysScroll, join, own, test } from './product.ts'

const addFounder = (page: Parameters<typeof callApi>[0], name: string) =>
  callApi(page, 'POST', '/founders', {
    name,
    linkedIn: `https://www.linkedin.com/in/${name.replaceAll(' ', '-')}`,
    notes: 'Met',
  })

test.describe('Rows that may be the same as a record', () => {
  test('are added anyway, one before the import and all after it, by keyboard alone', { tag: '@slow' }, async ({
    page,
  }) => {
    await join(page)
    const word = own('Vasquez')
    const names = ['Maria', 'Paula', 'Clara'].map((first) => `${first} ${word}`)
    for (const name of names) await addFounder(page, name)
    // One letter more.
    const file = `Name,Notes\n${names.map((name) => `${name.replace('Vasquez', 'Vasquezz')},Met again\n`).join('')}`
    await preview(page, { name: 'again.csv', buffer: Buffer.from(file) })
    await expect(filter(page, 'May be the same 3')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('No row of this file adds or changes a record.')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Add anyway: row 2, Maria/ }).press('Enter')
    await expect(filter(page, 'New 1')).toBeVisible({ timeout: 30_000 })
    await expect(filter(page, 'All rows 3')).toBeFocused()
    await page.getByRole('button', { name: 'Import 1 founder' }).press('Enter')
    await expect(page.getByText(/^1 founder added/)).toBeVisible({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Add all 2 anyway' }).press('Enter')
    await expect(page.getByText(/^3 founders added/)).toBeVisible({ timeout: 30_000 })
    await expect(filter(page, 'May be the same 2')).toHaveCount(0)

    // A revert takes them along.
    await page.getByRole('button', { name: 'Revert' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).press('Enter')
    await expect(page.getByText('3 founders reverted.')).toBeVisible({ timeout: 30_000 })
  })
})

test.describe('Rows with faults', () => {
  test('are imported without what cannot be read, refused, or ask how the file is read', { tag: '@slow' }, async ({
    page,
  }) => {
    await join(page)
    await test.step('are imported without what cannot be read and counted as marked, or refused', async () => {
      const name = own('Bad')
      const file = `Name,LinkedIn,Rating\n${name} One,not an address,very good\n${name} Two,linkedin.com/in/${name},9\n`
      await preview(page, { name: 'cells.csv', buffer: Buffer.from(file) })
      await expect(filter(page, 'New 2')).toBeVisible({ timeout: 30_000 })
      await filter(page, 'Marked 1').press('Enter')
      const row = page.getByRole('row', { name: `2 ${name} One` })
      await expect(row).toContainText('Rating')
      await expect(row).toContainText('LinkedIn')
      await expect(row).toContainText('Not rated')
      await expect(row.getByRole('listitem')).toHaveCount(2)
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await expectNoSidewaysScroll(page)
      await page.getByRole('radio', { name: 'Refuse the row' }).check()
      await expect(filter(page, 'Refused 1')).toBeVisible({ timeout: 30_000 })
      await expect(page.getByRole('button', { name: 'Import 1 founder' })).toBeVisible()
      await page.setViewportSize(DESKTOP)
    })
    await test.step('of a file that is not in Unicode ask for its encoding, with a line of it', async () => {
      const file = Buffer.concat([
        Buffer.from('Name,Notes\n'),
        ...[...`Zo\xeb ${own('Kranz')},Caf\xe9 in K\xf6ln\n`].map((letter) => Buffer.from(letter, 'latin1')),
      ])
      await upload(page, { name: 'latin.csv', buffer: file })
      await expect(step(page, 'Format')).toBeVisible({ timeout: 30_000 })
      await expect(page.getByText(/This file is not in Unicode\. We read it as/)).toBeVisible()
      await page.getByLabel('Encoding').selectOption({ label: 'Windows, Western European' })
      await expect(page.getByRole('region', { name: 'Sample of the file' })).toContainText('Café in Köln')
      await expectAccessible(page)
    })
    await test.step('of a file without a header say so, and stay to be compared when a person says otherwise', async () => {
      const buffer = Buffer.from(`${own('Ada')} One,ada@engines.example\n${own('Bob')} Two,bob@stone.example\n`)
      await upload(page, { name: 'plain.csv', buffer })
      await expect(step(page, 'Format')).toBeVisible({ timeout: 30_000 })
      const sample = page.getByRole('region', { name: 'Sample of the file' })
      await expect(sample).toContainText('Column 1')
      const isData = page.getByRole('checkbox', { name: 'The first row is data' })
      await expect(isData).toBeChecked()
      await expectAccessible(page)
      await isData.uncheck()
      await expect(sample).not.toContainText('Column 1')
      await isData.check()
      await expect(sample).toContainText('Column 1')
      await page.setViewportSize({ width: 390, height: 844 })
      await expectNoSidewaysScroll(page)
      await page.getByRole('button', { name: 'Continue' }).press('Enter')
      await page.getByLabel('Field for Column 1').selectOption({ label: 'Name' })
      await page.getByRole('button', { name: 'Preview' }).press('Enter')
      await expect(page.getByRole('button', { name: 'Import 2 founders' })).toBeVisible({ timeout: 30_000 })
    })
  })
})
