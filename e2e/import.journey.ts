import type { Page } from '@playwright/test'
import { startProviderServer } from '#server/enrichment/test/provider-server.ts'
import {
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  failWith,
  hold,
  join,
  own,
  startProduct,
  test,
  toast,
} from './product.ts'

const csvOf = (name: string) =>
  Buffer.from(`Who;LinkedIn;Notes;Rating
${name} One;linkedin.com/in/${name}-one;Met at the fair;8
${name} Two;linkedin.com/in/${name}-two;Calls back;99
`)

const upload = async (page: Page, file: { name: string; buffer: Buffer }) => {
  await page.goto('/import')
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await expect(page.locator('input[type=file]')).toHaveAttribute('aria-label', 'File to import')
  await page.locator('input[type=file]').setInputFiles({ ...file, mimeType: 'text/csv' })
}

test.describe('Import', () => {
  test('takes a file in five steps by keyboard alone, and reverts it', async ({ page, complaints }) => {
    await join(page)
    const name = own('Ada')
    await upload(page, { name: 'fair.csv', buffer: csvOf(name) })

    // Format: people, separated by semicolons.
    await expect(page.getByRole('heading', { name: 'fair.csv' })).toBeFocused()
    await expect(page.getByRole('radio', { name: 'Founder' })).toBeChecked()
    await expect(page.getByLabel('Separator')).toHaveValue(';')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Continue' }).press('Enter')

    // Columns: all but the name are mapped automatically.
    await expect(page.getByLabel('LinkedIn')).toHaveValue('1')
    await page.getByLabel('Name, or first name').selectOption({ label: 'Who' })
    await expectAccessible(page)
    await page.getByLabel('Rating').focus()
    await page.getByRole('button', { name: 'Preview' }).press('Enter')

    // Preview: nothing has been written.
    await expect(page.getByRole('tab', { name: 'New 1' })).toBeVisible()
    await page.getByRole('tab', { name: 'Refused 1' }).press('Enter')
    await expect(page.getByRole('row', { name: `3 Refused Rating must be` })).toContainText(`${name} Two`)
    await expectAccessible(page)
    await page.getByRole('radio', { name: 'Skip them' }).press('ArrowDown')
    await expect(page.getByRole('tab', { name: 'All rows 2' })).toBeVisible()
    await expect(page.getByRole('radio', { name: 'Fill empty fields' })).toBeChecked()
    await expect(page.getByRole('radio', { name: 'Fill empty fields' })).toBeFocused()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download refused rows' }).press('Enter')
    expect((await download).suggestedFilename()).toBe('refused.csv')
    // A press that fails keeps the focus, for the next one.
    await failWith(page, '/imports/*/run', 500, {})
    const run = page.getByRole('button', { name: 'Import 1 founder' })
    await run.press('Enter')
    await expect(toast(page, 'Failed to start the import')).toBeVisible()
    await expect(run).toBeFocused()
    expectNoComplaintsButOf(complaints, 500)
    await page.unroute('**/api/imports/*/run')
    await page.keyboard.press('Enter')

    // Done. Another file starts at the first step.
    await expect(page.getByText('1 founder added.')).toBeVisible({ timeout: 30_000 })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Import another file' }).press('Enter')
    await expect(page).toHaveURL(/\/import$/)
    await page.goto(`/founders?search=${name}`)
    await expect(page.getByRole('article', { name: `${name} One` })).toBeVisible()

    // Revert, from the list.
    await page.goto('/import')
    await page.getByRole('link', { name: 'fair.csv' }).press('Enter')
    await page.getByRole('button', { name: 'Revert' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).press('Enter')
    await expect(page.getByText('1 founder reverted.')).toBeFocused({ timeout: 30_000 })
    await page.goto(`/founders?search=${name}`)
    await expect(page.getByRole('article')).toHaveCount(0)
  })

  test('shows why a file cannot be read, and accepts another', async ({ page, complaints }) => {
    await join(page)
    await upload(page, { name: 'deck.csv', buffer: Buffer.from('%PDF-1.7') })
    await expect(page.getByRole('alert')).toContainText('This is a PDF')
    await expectAccessible(page)
    expectNoComplaintsButOf(complaints, 400)
    await page.locator('input[type=file]').setInputFiles({
      name: 'firms.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Company name,Website\nAcme,acme.example\n'),
    })
    await expect(page.getByRole('radio', { name: 'Company' })).toBeChecked()
  })

  test('has the export on the same screen, by keyboard alone', async ({ page }) => {
    await join(page)
    await page.goto('/import')
    await page.getByLabel('Records', { exact: true }).selectOption({ label: 'My companies' })
    await page.getByLabel('Format').selectOption({ label: 'JSON Lines, with fellow notes and finders' })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter')
    expect((await download).suggestedFilename()).toMatch(/companies.*\.jsonl$/)
    await expectAccessible(page)
  })
})

test('The records of an import can be looked up once, in the background, by keyboard alone', async ({ browser }) => {
  const outside = await startProviderServer()
  outside.on('POST /persons', { json: { experience: [{ title: 'Rear Admiral', is_current_position: true }] } })
  const product = await startProduct({
    ...{ ENRICHMENT_PROVIDERS: 'harmonic', HARMONIC_API_KEY: 'a-key', HARMONIC_BASE_URL: outside.url },
    FETCH_ALLOW_HOSTS: new URL(outside.url).host,
  })
  const page = await browser.newPage({ baseURL: product.url })
  await join(page)
  const people = ['Ada Lovelace,linkedin.com/in/ada', 'Grace Hopper,linkedin.com/in/grace', 'Without Address,']
  await upload(page, { name: 'people.csv', buffer: Buffer.from(['Name,LinkedIn', ...people].join('\n')) })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Preview' }).click()
  const release = await hold(page, '/imports/*/look-ups')
  await page.getByRole('button', { name: 'Import 3 founders' }).click()
  await expect(page.getByText('3 founders added.')).toBeVisible({ timeout: 30_000 })
  const rows = page.getByRole('tablist', { name: 'Which rows' })
  await expect(rows, 'nothing that would move').toHaveCount(0)
  release()
  const lookUp = page.getByRole('button', { name: 'Look up 3 records' })
  await expect(lookUp).toBeVisible()
  const place = await rows.boundingBox()
  expect(outside.requests).toEqual([])
  await expectAccessible(page)
  await lookUp.press('Enter')
  await expect(lookUp).toHaveCount(0)
  await expect(page.getByText('We are looking up these records.')).toBeFocused()
  expect(await rows.boundingBox()).toEqual(place)
  await expectAccessible(page)
  await expect.poll(() => outside.requests.length).toBe(2)
  await page.goto('/founders')
  await expect(page.getByRole('article', { name: 'Ada Lovelace' })).toContainText('Rear Admiral')
  await expect(page.getByRole('article', { name: 'Without Address' })).not.toContainText('Rear Admiral')
  await page.close()
  await product.stop()
  await outside.close()
})
