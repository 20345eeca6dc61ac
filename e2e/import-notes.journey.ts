import type { Locator, Page } from '@playwright/test'
import { filter, step, upload } from './import-screen.ts'
import { operate } from './operator.ts'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, hold, join, own, test, visit } from './product.ts'

const WIDTHS = [1440, 768, 390]

async function expectToFit(page: Page) {
  for (const width of WIDTHS.toReversed()) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSidewaysScroll(page)
  }
  await expectAccessible(page)
}

/** Each label that a button has from now on, also one for a moment. */
async function labelsOf(button: Locator) {
  const labels = await button.evaluateHandle((element) => {
    const seen = [element.textContent]
    const look = () => element.textContent !== seen.at(-1) && seen.push(element.textContent)
    new MutationObserver(look).observe(element, { childList: true, characterData: true, subtree: true })
    return seen
  })
  return () => labels.jsonValue()
}

test.describe('Moving in', () => {
  test('a manager imports notes onto records that are here, and reverts them, by keyboard alone', {
    tag: '@slow',
  }, async ({ page, product }) => {
    const { email } = await join(page, { name: 'Maya Chen' })
    await operate(product, 'accounts', 'make-manager', email)
    const name = own('Ada')
    const linkedIn = `https://www.linkedin.com/in/${name}`
    const { body: founder } = await callApi(page, 'POST', '/founders', { name, linkedIn, notes: 'Met' })
    const long = `First words. ${'She builds robots for gardens. '.repeat(80)}Last words.`
    const file = [
      'Person,LinkedIn profile,Comment,Author,Date,Mood',
      `${name},,Met at the fair,${email},2024-03-05,Good`,
      `,${linkedIn},"${long}",Tom Baker,2023-01-02,Good`,
      `${name}x,,Lost,Tom Baker,2023-01-02,Good`,
    ]
    // Until then, the import is as its upload answered: it is being read.
    const release = await hold(page, '/imports/*')
    await upload(page, { name: 'crm.csv', buffer: Buffer.from(`${file.join('\n')}\n`) })
    await page.waitForURL(/[?&]id=/)
    await visit(page, `${page.url().replace(/&step=.*/, '')}&step=kind`)
    await page.getByRole('radio', { name: 'Founder' }).focus()
    await page.getByRole('radio', { name: 'Note', exact: true }).press('Space')
    await expect(page.getByRole('radio', { name: 'Note', exact: true })).toBeChecked()
    await expectAccessible(page)
    const labels = await labelsOf(page.locator('button[type=submit]'))
    release()
    await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled()
    expect(await labels(), 'a choice that waited for the file is sent before the person can continue').toEqual([
      'Reading…',
      'Continue',
    ])
    await page.getByRole('button', { name: 'Continue' }).press('Enter')

    await expect(step(page, 'Columns')).toBeVisible()
    await expect(page.getByLabel('Field for Person')).toHaveValue('record')
    await expect(page.getByLabel('Field for LinkedIn profile')).toHaveValue('address')
    await expect(page.getByLabel('Field for Comment')).toHaveValue('text')
    await expect(page.getByRole('switch', { name: /Keep in notes/ })).toHaveCount(0)
    await page.getByLabel('Field for Comment').selectOption('')
    await page.getByRole('button', { name: 'Preview' }).press('Enter')
    await expect(page.getByText('Choose the column that holds the texts.')).toBeVisible()
    await page.getByLabel('Field for Comment').selectOption('text')
    await expectToFit(page)
    await page.getByRole('button', { name: 'Preview' }).press('Enter')

    await expect(step(page, 'Preview')).toBeVisible()
    await expect(filter(page, 'New 2')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('Notes, CSV, comma, UTF-8')).toBeVisible()
    await expect(page.getByText('1 column left out')).toBeVisible()
    const [first, second] = [page.getByRole('row', { name: `2 ${name}` }), page.getByRole('row', { name: `3 ${name}` })]
    await expect(first.getByRole('link', { name })).toHaveAttribute('href', new RegExp(`/founders/${founder.id}$`))
    await expect(first).toContainText(email)
    await expect(first).toContainText('Met at the fair')
    await expect(second).toContainText('New, in 3 parts')
    await filter(page, 'Refused 1').press('Enter')
    await expect(page.getByText('Person: No record has exactly this name')).toBeVisible()
    await filter(page, 'All rows 3').press('Enter')
    await expectToFit(page)
    await page.getByRole('button', { name: 'Import 4 notes' }).press('Enter')
    await expect(page.getByText('4 notes added to 1 record, 1 row refused.')).toBeVisible({ timeout: 30_000 })
    await expectToFit(page)
    const address = page.url()

    await visit(page, `/founders/${founder.id}`)
    await expect(page.getByRole('region', { name: 'Notes' }).getByText('Met at the fair')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Notes' }).getByText(/^First words\./)).toBeVisible()
    await visit(page, '/changes')
    await expect(page.getByText(/imported crm\.csv · 4 notes/)).toBeVisible()
    await visit(page, address)
    await page.getByRole('button', { name: 'Revert' }).press('Enter')
    await expect(page.getByRole('dialog')).toContainText('This deletes the notes that it added')
    await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).press('Enter')
    await expect(page.getByText('Reverted. 2 rows taken back.')).toBeVisible({ timeout: 30_000 })
    const { body } = await callApi(page, 'GET', `/founders/${founder.id}`)
    expect(body.notesCount).toBe(0)
  })

  test('is not offered to fellows', async ({ page }) => {
    await join(page)
    await upload(page, { name: 'x.csv', buffer: Buffer.from(`Record,Note text\n${own('Ada')},Met\n`) })
    await page.waitForURL(/[?&]id=/)
    await visit(page, `${page.url().replace(/&step=.*/, '')}&step=kind`)
    await expect(page.getByRole('radio', { name: 'Company' })).toBeVisible()
    await expect(page.getByRole('radio', { name: 'Founder' })).toBeChecked()
    await expect(page.getByRole('radio', { name: 'Note' })).toHaveCount(0)
  })
})
