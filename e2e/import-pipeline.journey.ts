import { expectState, filter, step } from './import-screen.ts'
import { press, tabTo } from './keys.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoSidewaysScrollAtAnyWidth,
  join,
  own,
  test,
  visit,
} from './product.ts'
import { card } from './records.ts'

test.describe('A file with stages, owners and tags', () => {
  test('is chosen, matched, previewed, run and read by keyboard alone', async ({ page }) => {
    const [name, tag, owner] = [own('Piped'), own('Tag'), own('Owner')]
    await join(page, { name: owner })
    const file = `Name,Stage,Owner,Tags\n${name},Diligence,Zed Zulu,${tag}\n`
    await visit(page, '/import')
    const chooser = page.waitForEvent('filechooser')
    await press(page, 'button', 'Choose a file')
    await (await chooser).setFiles({ name: 'founders.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
    await page.waitForURL(/[?&]id=/)
    await expectState(page, 'ready')

    // Unknown values are a doubt, so the columns come before the preview.
    await expect(step(page, 'Columns')).toBeVisible()
    const stage = page.getByLabel('Stage “Diligence”')
    await expect(stage).toHaveValue('')
    await tabTo(page, 'combobox', 'Stage “Diligence”')
    await page.keyboard.press('M')
    await expect(stage.locator('option:checked')).toHaveText('Met')
    const fellow = page.getByRole('combobox', { name: 'Responsible “Zed Zulu”' })
    await tabTo(page, 'combobox', 'Responsible “Zed Zulu”')
    await page.keyboard.type(owner)
    // Enter waits for those that the whole text finds.
    await page.keyboard.press('Enter')
    await expect(fellow).toHaveValue(owner)
    const create = page.getByRole('switch', { name: 'Create 1 tag' })
    await expect(create).not.toBeChecked()
    await tabTo(page, 'switch', 'Create 1 tag')
    await page.keyboard.press('Space')
    await expect(page.getByText(tag)).toHaveCount(2)
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)

    await press(page, 'button', 'Preview')
    await expect(step(page, 'Preview')).toBeFocused()
    await expect(filter(page, 'New 1')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('cell', { name: 'Met', exact: true })).toBeVisible()
    expect((await callApi(page, 'GET', '/tags')).body.map((one: { name: string }) => one.name)).not.toContain(tag)

    await press(page, 'button', 'Import 1 founder')
    await expectState(page, 'done')
    await expect(page.getByText('1 founder added.')).toBeVisible()
    await press(page, 'link', 'Show founders')
    await expect(card(page, name)).toBeVisible()
    const { body } = await callApi(page, 'GET', `/founders?search=${name}`)
    expect(body[0]).toMatchObject({ pipeline: { stage: { name: 'Met' } }, tags: [{ name: tag }] })
  })
})
