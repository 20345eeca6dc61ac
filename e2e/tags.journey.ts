import { part } from './pipeline.ts'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, join, own, test, visit } from './product.ts'
import { addCompany, card } from './records.ts'
import { walk } from './walk.ts'

test('A record gets tags by typing, known ones are offered, and they are removed, by keyboard alone', async ({
  page,
  openCaller,
}) => {
  const grace = await openCaller()
  await join(grace)
  await join(page)
  const known = own('Climate')
  const { body: tag } = await callApi(grace, 'POST', '/tags', { name: known })
  const { id, name } = await addCompany(page)
  await page.goto(`/companies/${id}`)
  const panel = part(page, 'Tags')
  const { pressByKey, type, key, expectActs } = walk(page)
  await pressByKey('button', 'Add a tag')
  const box = panel.getByRole('combobox').or(panel.getByRole('textbox')).first()
  await expect(box).toBeFocused()
  await type(known.toLowerCase())
  await expect(page.getByRole('option', { name: known, exact: true })).toBeVisible()
  await expectAccessible(page)
  await key('ArrowDown')
  await key('Enter')
  expectActs(4)
  const tags = panel.getByRole('list', { name: `Tags of ${name}` })
  await expect(tags).toContainText(known)
  const fresh = own('Demo day')
  await type(fresh)
  await expect(page.getByRole('option', { name: `New tag “${fresh}”` })).toBeVisible()
  await key('Enter')
  expectActs(6)
  await expect(tags).toContainText(fresh)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(panel.getByRole('button', { name: 'Add a tag' })).toBeFocused()

  // A colleague's tag appears, and mine are on the cards and in the filter.
  await tags.getByRole('button', { name: `Remove the tag ${fresh}` }).press('Enter')
  await expect(tags).not.toContainText(fresh)
  await expect(tags.getByRole('button')).toBeFocused()
  await visit(page, `/companies?tag=${tag.id}`)
  await expect(card(page, name)).toContainText(known)
  await expect(page.getByRole('list', { name: 'Filters' })).toContainText(`Tag: ${known}`)
  for (const width of [768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expectNoSidewaysScroll(page)
  }
  await callApi(grace, 'PUT', `/records/${id}/tags`, { tags: [] })
  await expect(card(page, name)).toHaveCount(0)
})
