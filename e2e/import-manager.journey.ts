import { filter, preview, step, upload } from './import-screen.ts'
import { operate } from './operator.ts'
import { callApi, expect, expectAccessible, freshAddress, join, own, test, testAlone, visit } from './product.ts'

testAlone(
  'A manager sees the imports of everyone, runs and deletes them, and alone exports all records',
  { tag: '@slow' },
  async ({ page, openCaller, product }) => {
    await page.goto('/auth')
    const fellow = freshAddress('jonas')
    await join(page, { name: 'Jonas Weber', email: fellow })
    await page.goto('/export')
    const records = page.getByLabel('Records', { exact: true })
    await expect(records.getByRole('option', { name: 'All founders' }), 'while there is no manager').toHaveCount(1)
    const name = own('Ofjonas')
    await preview(page, { name: 'from-jonas.csv', buffer: Buffer.from(`Name\n${name}\n`) })
    await expect(filter(page, 'New 1')).toBeVisible({ timeout: 30_000 })
    const address = page.url()

    const boss = freshAddress('maya')
    const caller = await openCaller()
    await join(caller, { name: 'Maya Chen', email: boss })
    await operate(product, 'accounts', 'make-manager', boss)
    await page.goto('/export')
    await expect(records.getByRole('option')).toHaveText(['My founders', 'My companies'])
    await visit(page, '/import')
    await expect(page.getByRole('heading', { name: 'Choose a file' })).toBeVisible()
    await expect(page.getByRole('switch', { name: "Everyone's" })).toHaveCount(0)

    // The open page would ask between the two sessions.
    await page.goto('/healthz')
    await page.context().clearCookies()
    await callApi(page, 'GET', '/auth/me')
    await callApi(page, 'POST', '/auth/login', { email: boss, password: 'a long enough password' })
    await page.goto('/export')
    await expect(records.getByRole('option', { name: 'All founders' })).toHaveCount(1)
    await visit(page, '/import')
    await expect(page.getByRole('heading', { name: 'Your imports' })).toBeVisible()
    await expect(page.getByText('No imports yet')).toBeVisible()
    await page.getByRole('switch', { name: "Everyone's" }).press('Space')
    const entry = page.getByRole('listitem').filter({ hasText: 'from-jonas.csv' })
    await expect(entry).toContainText('Jonas Weber')
    await expect(entry).toContainText('Founders')
    await expectAccessible(page)

    await page.goto(address)
    await expect(page.getByText('uploaded by Jonas Weber')).toBeVisible()
    await page.getByRole('button', { name: 'Import 1 founder' }).press('Enter')
    await expect(page.getByText('1 founder added.')).toBeVisible({ timeout: 30_000 })
    const { body } = await callApi(page, 'GET', `/founders?search=${name}`)
    expect(body).toMatchObject([{ name, createdBy: 'Jonas Weber' }])

    await page.goto('/import?all=true')
    await page.getByRole('button', { name: 'Delete from-jonas.csv' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await expect(entry).toHaveCount(0)
  },
)

test("A manager's dates that can be read in two ways are asked about once", async ({ page, product }) => {
  const { email } = await join(page)
  await operate(product, 'accounts', 'make-manager', email)
  const name = own('Dora')
  const file = `Name,LinkedIn,Date added\n${name},linkedin.com/in/${name},03/04/2020\n`
  await upload(page, { name: 'dates.csv', buffer: Buffer.from(file) })
  await expect(step(page, 'Columns')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('How are dates such as 03/04/2020 written?')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('radio', { name: 'Day first: 3 April 2020' }).check()
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(step(page, 'Preview')).toBeVisible()
  await page.getByRole('button', { name: 'Change the columns' }).click()
  await expect(page.getByRole('radio', { name: 'Day first' })).toBeChecked()
})
