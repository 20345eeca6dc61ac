import { expectState, filter, step, upload } from './import-screen.ts'
import { callApi, expect, expectAccessible, expectNoSidewaysScrollAtAnyWidth, join, own, test } from './product.ts'

test.describe('A file with stages, owners and tags', () => {
  test('has its unknown values matched by keyboard alone', async ({ page }) => {
    const [name, tag, owner] = [own('Piped'), own('Tag'), own('Owner')]
    await join(page, { name: owner })
    const file = `Name,Stage,Owner,Tags\n${name},Diligence,Zed Zulu,${tag}\n`
    await upload(page, { name: 'founders.csv', buffer: Buffer.from(file) })
    await page.waitForURL(/[?&]id=/)
    await expectState(page, 'ready')

    // Unknown values are a doubt, so the columns come before the preview.
    await expect(step(page, 'Columns')).toBeVisible()
    const stage = page.getByLabel('Stage “Diligence”')
    await expect(stage).toHaveValue('')
    await stage.focus()
    await page.keyboard.press('M')
    await expect(stage.locator('option:checked')).toHaveText('Met')
    const fellow = page.getByRole('combobox', { name: 'Responsible “Zed Zulu”' })
    await fellow.focus()
    await page.keyboard.type(owner)
    // Enter waits for those that the whole text finds.
    await page.keyboard.press('Enter')
    await expect(fellow).toHaveValue(owner)
    const create = page.getByRole('switch', { name: 'Create 1 tag' })
    await expect(create).not.toBeChecked()
    await create.press('Space')
    await expect(page.getByText(tag)).toHaveCount(2)
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)

    await page.getByRole('button', { name: 'Preview' }).press('Enter')
    await expect(step(page, 'Preview')).toBeFocused()
    await expect(filter(page, 'New 1')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('cell', { name: 'Met', exact: true })).toBeVisible()
    expect((await callApi(page, 'GET', '/tags')).body.map((one: { name: string }) => one.name)).not.toContain(tag)

    await page.getByRole('button', { name: 'Import 1 founder' }).press('Enter')
    await expectState(page, 'done')
    const { body } = await callApi(page, 'GET', `/founders?search=${name}`)
    expect(body[0]).toMatchObject({ pipeline: { stage: { name: 'Met' } }, tags: [{ name: tag }] })
  })
})
