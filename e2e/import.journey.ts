import { startProviderServer } from '#server/enrichment/test/provider-server.ts'
import { expectState, filter, preview, step, upload } from './import-screen.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  failWith,
  hold,
  join,
  own,
  startProduct,
  test,
  toast,
  visit,
} from './product.ts'
import { walk } from './walk.ts'

const csvOf = (name: string) =>
  Buffer.from(`Who;LinkedIn;Notes;Rating;Shoe size
${name} One;linkedin.com/in/${name}-one;Met at the fair;8;42
;linkedin.com/in/${name}-two;Calls back;9;39
`)

test.describe('Import', () => {
  test('takes a file in five steps by keyboard alone, and reverts it', async ({ page, complaints }) => {
    await join(page)
    const name = own('Ada')
    await upload(page, { name: 'fair.csv', buffer: csvOf(name) })

    await page.waitForURL(/[?&]id=/)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeFocused()
    await expectState(page, 'ready')

    // No preview without a name: the first column is not known to be one.
    await visit(page, `${page.url()}&step=preview`)
    await expect(step(page, 'Columns')).toBeVisible()
    await page.getByRole('button', { name: 'Preview' }).press('Enter')
    await expect(page.getByRole('alert')).toContainText('Choose the column that holds the names.')
    await expect(page.getByLabel('Field for Who')).toBeFocused()
    await expectAccessible(page)

    // Format: people, separated by semicolons, with a sample that follows a change.
    await page.getByRole('button', { name: 'Back' }).press('Enter')
    await expect(step(page, 'Format')).toBeFocused()
    await expect(page.getByRole('radio', { name: 'Founder' })).toBeChecked()
    await expect(page.getByLabel('Separator')).toHaveValue(';')
    const sample = page.getByRole('region', { name: 'Sample of the file' })
    await expect(sample.getByRole('row', { name: 'Shoe size 42 39' })).toBeVisible()
    await page.getByLabel('Separator').selectOption({ label: 'Comma' })
    await expect(sample.getByRole('rowheader', { name: 'Who;LinkedIn;Notes;Rating;Shoe size' })).toBeVisible()
    await page.getByLabel('Separator').selectOption({ label: 'Semicolon' })
    await expect(sample.getByRole('row', { name: 'Shoe size 42 39' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Continue' }).press('Enter')

    // Columns: a field has one column, and what fills none can be kept in the notes.
    await expect(step(page, 'Columns')).toBeFocused()
    await expect(page.getByLabel('Field for LinkedIn')).toHaveValue('linkedIn')
    await page.getByLabel('Field for LinkedIn').selectOption({ label: 'Name' })
    await page.getByLabel('Field for Who').selectOption({ label: 'Name' })
    await expect(page.getByText('“LinkedIn” no longer fills a field.')).toBeVisible()
    await page.getByLabel('Field for LinkedIn').selectOption({ label: 'LinkedIn' })
    const kept = page.getByRole('switch', { name: 'Keep in notes: Shoe size' })
    await kept.setChecked(true)
    await kept.press('Space')
    await expect(kept).not.toBeChecked()
    await page.getByRole('button', { name: 'Preview' }).press('Enter')

    // Preview: nothing has been written.
    await expect(step(page, 'Preview')).toBeFocused()
    await expect(filter(page, 'New 1')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('Name, LinkedIn, Notes, Rating; 1 column left out')).toBeVisible()
    await filter(page, 'Refused 1').press('Enter')
    await expect(page.getByRole('row', { name: /^3 Refused .*name/i })).toContainText('Calls back')
    await expectAccessible(page)
    const skip = page.getByRole('radio', { name: 'Skip them' })
    await skip.press('ArrowDown')
    const fill = page.getByRole('radio', { name: 'Fill empty fields' })
    await expect(filter(page, 'All rows 2')).toBeVisible()
    await expect(fill).toBeChecked()
    await expect(fill).toBeFocused()
    // The rows are judged again, and the link with them.
    await expect(async () => {
      const download = page.waitForEvent('download', { timeout: 3000 })
      await page.getByRole('link', { name: 'Download refused rows' }).press('Enter')
      expect((await download).suggestedFilename()).toMatch(/^refused/)
    }).toPass()
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
    await expect(page.getByText('1 founder added, 1 row refused.')).toBeVisible({ timeout: 30_000 })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Import another file' }).press('Enter')
    await expect(page).toHaveURL(/\/import$/)
    await expect(step(page, 'Choose a file')).toBeFocused()
    await page.getByRole('link', { name: 'fair.csv' }).press('Enter')
    await page.getByRole('link', { name: 'Show founders' }).press('Enter')
    await visit(page, `/founders?search=${name}`)
    await expect(page.getByRole('article', { name: `${name} One` })).toBeVisible()

    // Revert, from the list.
    await visit(page, '/import')
    await page.getByRole('link', { name: 'fair.csv' }).press('Enter')
    await page.getByRole('button', { name: 'Revert' }).press('Enter')
    await expect(page.getByRole('dialog')).toContainText('This deletes 1 founder that it added.')
    await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).press('Enter')
    await expect(page.getByText('1 founder reverted.')).toBeFocused({ timeout: 30_000 })
    // The page also lists similar names, of which other journeys add some.
    expect((await callApi(page, 'GET', `/founders?search=${name}`)).body).toEqual([])
  })

  test('fits every width with 200 columns and a name of 200 characters', { tag: '@slow' }, async ({ page }) => {
    await join(page)
    const header = Array.from({ length: 200 }, (_, at) => (at === 0 ? 'Name' : `Column ${at}`))
    const row = header.map((_, at) => (at === 0 ? own('Wolfeschlegelsteinhausen').padEnd(200, 'x') : `Value ${at}`))
    await upload(page, { name: `${'long'.repeat(40)}.csv`, buffer: Buffer.from(`${header.join()}\n${row.join()}\n`) })
    await expectState(page, 'ready')
    const address = page.url().replace(/&step=.*/, '')
    for (const [name, title] of [
      ['kind', 'Format'],
      ['columns', 'Columns'],
      ['preview', 'Preview'],
    ] as const) {
      await visit(page, `${address}&step=${name}`)
      await expect(step(page, title)).toBeVisible()
      for (const width of [1440, 768, 390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        await expectNoSidewaysScroll(page)
        if (width === 390) await expectAccessible(page, ['dark'])
      }
    }
    // The name stays in sight while the other columns scroll by.
    const name = page.getByRole('rowheader')
    const before = await name.boundingBox()
    await page.getByRole('region', { name: 'Rows' }).evaluate((box) => box.scrollTo(1_000, 0))
    expect((await name.boundingBox())?.x).toBe(before?.x)
  })

  test('shows why a file cannot be read, the preview of one without doubts, and the export', async ({
    page,
    complaints,
  }) => {
    await join(page)
    await test.step('has the export beside it, by keyboard alone', async () => {
      await visit(page, '/import')
      const { pressByKey, choose, expectActs } = walk(page)
      const data = page.getByRole('navigation', { name: 'Data' })
      await pressByKey('link', 'Export', data)
      await expect(page).toHaveURL('/export')
      await choose('Records', 'My companies')
      await choose('Format', 'JSON Lines, with fellow notes and finders')
      const download = page.waitForEvent('download')
      await pressByKey('button', 'Export')
      expectActs(4)
      expect((await download).suggestedFilename()).toMatch(/companies.*\.jsonl$/)
    })
    await test.step('shows why a file cannot be read, and accepts another', async () => {
      await visit(page, '/import')
      await upload(page, { name: 'deck.csv', buffer: Buffer.from('%PDF-1.7') })
      await expect(page.getByRole('alert')).toContainText('This is a PDF')
      await expectAccessible(page)
      expectNoComplaintsButOf(complaints, 400)
      await page.locator('input[type=file]').setInputFiles({
        name: 'firms.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('Company name,Website\nAcme,acme.example\n'),
      })
      await expect(page.getByText('firms.csv')).toBeVisible()
      await page.waitForURL(/[?&]id=/)
    })
    await test.step('shows the preview of a file without doubts immediately, with the ways to change how it is read', async () => {
      const name = own('Certain')
      await upload(page, {
        name: 'people.csv',
        buffer: Buffer.from(`Name,LinkedIn\n${name},linkedin.com/in/${name}\n`),
      })
      await expect(step(page, 'Preview')).toBeFocused()
      await expect(page.getByText('Founders, CSV, comma, UTF-8')).toBeVisible()
      await page.getByRole('button', { name: 'Change how the file is read' }).press('Enter')
      await expect(step(page, 'Format')).toBeFocused()
      await page.getByRole('button', { name: 'Continue' }).press('Enter')
      await page.getByRole('button', { name: 'Preview' }).press('Enter')
      await page.getByRole('button', { name: 'Change the columns' }).press('Enter')
      await expect(step(page, 'Columns')).toBeFocused()
    })
  })
})

test('The records of an import can be looked up once, in the background, by keyboard alone', { tag: '@slow' }, async ({
  browser,
}) => {
  const outside = await startProviderServer()
  outside.on('POST /persons', { json: { experience: [{ title: 'Rear Admiral', is_current_position: true }] } })
  const product = await startProduct({
    ...{ ENRICHMENT_PROVIDERS: 'harmonic', HARMONIC_API_KEY: 'a-key', HARMONIC_BASE_URL: outside.url },
    FETCH_ALLOW_HOSTS: new URL(outside.url).host,
  })
  const page = await browser.newPage({ baseURL: product.url })
  await join(page)
  const people = ['Ada Lovelace,linkedin.com/in/ada', 'Grace Hopper,linkedin.com/in/grace', 'Without Address,']
  await preview(page, { name: 'people.csv', buffer: Buffer.from(['Name,LinkedIn', ...people].join('\n')) })
  const release = await hold(page, '/imports/*/look-ups')
  await page.getByRole('button', { name: 'Import 3 founders' }).click()
  await expect(page.getByText('3 founders added.')).toBeVisible({ timeout: 30_000 })
  const rows = page.getByRole('group', { name: 'Which rows' })
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
  await visit(page, '/founders')
  await expect(page.getByRole('article', { name: 'Ada Lovelace' })).toContainText('Rear Admiral')
  await expect(page.getByRole('article', { name: 'Without Address' })).not.toContainText('Rear Admiral')
  await page.close()
  await product.stop()
  await outside.close()
})
