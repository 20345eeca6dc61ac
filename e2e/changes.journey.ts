import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  failWith,
  hold,
  join,
  own,
  test,
  toast,
  visit,
} from './product.ts'
import { addTwins, importFile, merge } from './records.ts'
import { walk } from './walk.ts'

const change = (page: Page, word: string) =>
  page.getByRole('list', { name: 'Recent changes' }).getByRole('listitem').filter({ hasText: word })

/** Two merged records of the fellow on the page. */
async function mergeTwins(page: Page) {
  const twins = await addTwins(page)
  await merge(page, twins.first, twins.second)
  return twins
}

test.describe('Recent changes', () => {
  test('say who can undo a change of others', async ({ page }) => {
    await join(page, { name: 'Grace Hopper' })
    const { word } = await mergeTwins(page)
    await page.context().clearCookies()
    await join(page, { name: 'Mary Shelley' })
    await page.goto('/changes')
    await expect(change(page, word)).toContainText('Only the fellow who merged these records')
    await expect(change(page, word).getByRole('button')).toHaveCount(0)
  })

  test('list merges and imports with their undo, and have a loading, an empty and an error state', {
    tag: '@slow',
  }, async ({ page, complaints }) => {
    await join(page, { name: 'Grace Hopper' })
    await test.step('have a loading, an empty and an error state', async () => {
      const { word } = await mergeTwins(page)
      const release = await hold(page, '/changes?*', { status: 200, json: [] })
      await visit(page, '/changes')
      await expect(page.getByRole('status', { name: 'Loading recent changes' })).toBeVisible()
      release()
      await expect(page.getByText('No recent changes')).toBeVisible()
      await expectAccessible(page)
      await page.unrouteAll()
      await failWith(page, '/changes?*', 500, {})
      await page.reload()
      await expect(page.getByRole('alert').filter({ hasText: 'Recent changes could not be loaded' })).toBeVisible()
      await expectAccessible(page)
      await page.unrouteAll()
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(change(page, word)).toBeVisible()
      expectNoComplaintsButOf(complaints, 500)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('list a merge with its undo, by keyboard, and appear and change without a reload', async () => {
      await visit(page, '/changes')
      await expect(page).toHaveTitle('Recent changes · Data · Sourcebook')
      const { word, second } = await mergeTwins(page)
      const merged = change(page, word)
      await expect(merged).toContainText(`Grace Hopper merged Ada M. ${word} into Ada ${word}`)
      await expectAccessible(page)
      await expectNoSidewaysScrollAtAnyWidth(page)
      const undo = merged.getByRole('button', { name: `Undo the merge of Ada ${word} and Ada M. ${word}` })
      expect((await undo.boundingBox())?.height, 'for a finger').toBeGreaterThanOrEqual(36)
      const undoing = walk(page)
      await undoing.pressByKey('button', `Undo the merge of Ada ${word} and Ada M. ${word}`)
      undoing.expectActs(1)
      await expect(toast(page, 'are two records again')).toBeVisible()
      await expect(merged).toContainText('Undone')
      await expect(undo).toHaveCount(0)
      await expect(merged.locator(':focus')).toHaveCount(1)
      expect((await callApi(page, 'GET', `/founders/${second.id}`)).body).toMatchObject({ name: `Ada M. ${word}` })
      await expectAccessible(page)
    })
    await test.step('have the imports of the fellow, which are reverted after a question', async () => {
      const word = own('Imported')
      await visit(page, '/import')
      await page.getByRole('link', { name: 'Recent changes' }).click()
      await expect(page).toHaveURL('/changes')
      const id = await importFile(page, `${word}.csv`, [
        'Name,LinkedIn,Notes',
        `${word},https://www.linkedin.com/in/${word},Met`,
      ])
      const imported = change(page, `${word}.csv`)
      await expect(imported).toContainText(`Grace Hopper imported ${word}.csv · 1 record`)
      await expect(imported.getByRole('link', { name: `${word}.csv` })).toHaveAttribute('href', `/import?id=${id}`)
      const reverting = walk(page)
      await reverting.pressByKey('button', /^Revert/, imported)
      await reverting.pressByKey('button', 'Revert', page.getByRole('dialog', { name: 'Revert this import?' }))
      reverting.expectActs(2)
      await expect(imported).toContainText('Reverted', { timeout: 15_000 })
      await expect(imported.getByRole('button')).toHaveCount(0)
    })
  })
})
