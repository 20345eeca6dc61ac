import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoComplaintsButOf, join, test, toast } from './product.ts'
import { addTwins } from './records.ts'
import { walk } from './walk.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const mergeButton = (page: Page) => page.getByRole('button', { name: 'Merge', exact: true })

/** Opens the page of a record and, by keyboard alone, the form that merges it with the other one. Returns the walk. */
async function openForm(page: Page, path: string, record: { name: string }, other: { name: string }) {
  await page.goto(path)
  await expect(heading(page, record.name)).toBeVisible()
  const merging = walk(page)
  const { pressByKey, type, key } = merging
  await pressByKey('button', `More for ${record.name}`)
  await pressByKey('menuitem', /^Merge with…/)
  await expect(page.getByRole('searchbox', { name: /^Merge with which/ })).toBeFocused()
  await type(other.name)
  await expect(page.getByRole('link', { name: other.name })).toBeVisible()
  await expectAccessible(page, ['dark'])
  await key('Tab')
  await key('Enter')
  await expect(mergeButton(page)).toBeVisible()
  return merging
}

test.describe('Merging records from the page of one of them', () => {
  test('finds the other by name, ends on the survivor, and is listed and undone there', { tag: '@slow' }, async ({
    page,
  }) => {
    await join(page)
    const { first, second } = await addTwins(page, 'companies')
    const merging = await openForm(page, `/companies/${second.id}`, second, first)
    // The live stream is faster than the response.
    await page.route('**/api/records/merge', async (route) => {
      const response = await route.fetch()
      await expect(page.getByText('One of these records was merged into another one')).toBeVisible()
      await route.fulfill({ response })
    })
    await merging.pressByKey('button', 'Merge')
    merging.expectActs(6)
    await expect(toast(page, `Merged into ${second.name}`)).toBeVisible()
    await expect(page).toHaveURL(`/companies/${first.id}`)
    await expect(heading(page, second.name), 'the fuller name').toBeVisible()
    const merged = page.getByRole('region', { name: 'Merged into this record' })
    await expect(merged).toContainText(second.name)
    await expectAccessible(page)
    const undoing = walk(page)
    await undoing.pressByKey('button', `Undo the merge of ${second.name}`)
    await undoing.pressByKey('button', 'Undo merge', page.getByRole('dialog'))
    undoing.expectActs(2)
    await expect(toast(page, `${first.name} and ${second.name} are two records again`)).toBeVisible()
    await expect(merged).toBeHidden()
    await expect(heading(page, first.name)).toBeVisible()
    expect((await callApi(page, 'GET', `/companies/${second.id}`)).body).toMatchObject({ name: second.name, rating: 9 })
  })

  test('shows the new state after a change of the other record, and says when that was deleted', {
    tag: '@slow',
  }, async ({ page, complaints }) => {
    await join(page)
    const { first, second } = await addTwins(page)
    const other = `/founders/${second.id}`
    await openForm(page, `/founders/${first.id}`, first, second)
    await page.getByRole('radiogroup', { name: 'Rating' }).getByRole('radio', { name: '9/10' }).check()
    // The page learns of each change only from the refusal.
    const actMeanwhile = (act: () => Promise<unknown>) =>
      page.route('**/api/records/merge', (route) => act().then(() => route.continue()), { times: 1 })
    await actMeanwhile(() => callApi(page, 'PUT', other, { notes: 'Changed meanwhile.' }))
    await mergeButton(page).click()
    await expect(page.getByRole('alert')).toContainText('Someone changed one of these records')
    await expect(page.getByRole('article')).toContainText('Changed meanwhile.')
    await expect(page.getByRole('article'), 'the choice is kept').toContainText('9/10')
    await expect(mergeButton(page)).toBeFocused()
    await expectAccessible(page)
    await actMeanwhile(() => callApi(page, 'DELETE', other))
    await mergeButton(page).click()
    await expect(page.getByText('One of these records has been deleted')).toBeVisible()
    await page.goBack()
    await expect(heading(page, first.name)).toBeVisible()
    expectNoComplaintsButOf(complaints, 404, 409)
  })
})
