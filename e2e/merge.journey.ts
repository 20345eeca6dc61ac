import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  join,
  test,
  toast,
  visit,
} from './product.ts'
import { addTwins, card, merge } from './records.ts'
import { walk } from './walk.ts'

const mergeButton = (page: Page) => page.getByRole('button', { name: 'Merge', exact: true })

test.describe('Merging two records', () => {
  test('works by keyboard: the person chooses fields and sees the result first, and lists are updated', async ({
    page,
  }) => {
    await join(page)
    const { word, first, path } = await addTwins(page)
    await page.goto(`/founders?search=${word}`)
    await expect(page.getByText('2 founders')).toBeVisible()
    await page.goto(path)
    await expect(page.getByRole('radio', { name: new RegExp(`^Ada ${word}.*Added`) })).toBeChecked()
    const result = page.getByRole('article')
    await expect(result.getByRole('heading', { level: 2 }), 'the fuller name').toHaveText(`Ada M. ${word}`)
    await expect(result).toContainText('Met at a talk.\n\nMet again.', { useInnerText: true })
    await expect(result).toContainText('4/10')
    await expect(page.getByText('The two ratings differ.')).toBeVisible()
    await expectAccessible(page)

    const names = page.getByRole('radiogroup', { name: 'Name' })
    await names.getByRole('radio').last().focus()
    await page.keyboard.press('ArrowUp')
    await expect(result.getByRole('heading', { level: 2 })).toHaveText(`Ada ${word}`)
    await page.keyboard.press('ArrowDown')
    await page.getByRole('radiogroup', { name: 'Rating' }).getByRole('radio', { name: '9/10' }).press('Space')
    await expect(result).toContainText('9/10')
    await page.getByRole('radiogroup', { name: 'Notes' }).getByRole('radio', { name: 'Met again.' }).press('Space')
    await expect(result).not.toContainText('Met at a talk.')

    const list = await page.context().newPage()
    await list.goto(`/founders?search=${word}`)
    await expect(list.getByText('2 founders')).toBeVisible()
    await mergeButton(page).press('Enter')
    await expect(toast(page, `Merged into Ada M. ${word}`)).toBeVisible()
    await expect(page).toHaveURL('/duplicates')
    await expect(card(list, `Ada M. ${word}`)).toBeVisible()
    await expect(list.getByText('1 founder', { exact: true })).toBeVisible()
    await expect(card(list, `Ada M. ${word}`)).toContainText('9/10')
    expect((await callApi(page, 'GET', `/founders/${first.id}`)).body).toMatchObject({
      name: `Ada M. ${word}`,
      rating: 9,
    })
  })

  test('can be undone from the history and from its toast; records that are gone are reported', {
    tag: '@slow',
  }, async ({ page, complaints }) => {
    await join(page)
    await test.step('can be undone from the history and from its toast, which lists what was kept', async () => {
      const { word, first, second, path } = await addTwins(page)
      await visit(page, path)
      await mergeButton(page).click()
      const merged = toast(page, `Merged into Ada M. ${word}`)
      await expect(merged).toBeVisible()
      await callApi(page, 'POST', `/notes/founder/${first.id}`, { content: 'Written since.' })
      await expect(merged.getByRole('button', { name: 'Recent changes' })).toBeVisible()
      const undo = merged.getByRole('button', { name: 'Undo' })
      expect((await undo.boundingBox())?.height, 'for a finger').toBeGreaterThanOrEqual(40)
      await undo.press('Enter')
      await expect(toast(page, 'are two records again')).toBeVisible()
      await expect(page.getByRole('main')).toBeFocused()
      await expect(toast(page, `Kept on Ada ${word}: 1 note (added after the merge)`)).toBeVisible()
      expect((await callApi(page, 'GET', `/founders/${second.id}`)).body).toMatchObject({ name: `Ada M. ${word}` })

      await page.goto(path)
      await mergeButton(page).click()
      await expect(merged).toBeVisible()
      await expectAccessible(page)
      await visit(page, `/founders?search=${word}`)
      await expect(page.getByText('1 founder', { exact: true })).toBeVisible()
      const undoing = walk(page)
      await undoing.press('button', `History of Ada M. ${word}`)
      const dialog = page.getByRole('dialog', { name: `Ada M. ${word}` })
      await expect(dialog).toContainText(`merged Ada M. ${word} into this record`)
      await expectAccessible(page)
      await undoing.pressByKey('button', /^Undo merge/, dialog)
      await undoing.pressByKey('button', 'Undo merge', page.getByRole('dialog', { name: 'Undo this merge?' }))
      undoing.expectActs(3)
      await expect(dialog.getByRole('link', { name: `Ada M. ${word}` })).toHaveAttribute(
        'href',
        `/founders/${second.id}`,
      )
      await expect(dialog.getByRole('button', { name: 'Undo merge' })).toHaveCount(0)
      await expect(dialog.getByRole('region', { name: 'History' })).toBeFocused()
      await page.getByRole('button', { name: 'Close history' }).click()
      await expect(page.getByText('2 founders')).toBeVisible()
    })
    await test.step('reports a record that was merged or deleted, and an address without records', async () => {
      const { first, second, path } = await addTwins(page)
      const third = (await addTwins(page)).first
      expect((await merge(page, first, second)).status).toBe(200)
      await visit(page, path)
      await expect(page.getByText('One of these records was merged into another one')).toBeVisible()
      await callApi(page, 'DELETE', `/founders/${third.id}`)
      await visit(page, `/duplicates/merge?show=founders&one=${first.id}&other=${third.id}`)
      await expect(page.getByText('One of these records has been deleted')).toBeVisible()
      await visit(page, '/duplicates/merge?show=people')
      await expect(page.getByText('There is nothing to merge here')).toBeVisible()
      await expectAccessible(page)
      expectNoComplaintsButOf(complaints, 404)
    })
    await test.step('fits a phone: the two records are stacked', async () => {
      await page.setViewportSize({ width: 390, height: 844 })

      const { path } = await addTwins(page)
      await visit(page, path)
      await expect(mergeButton(page)).toBeVisible()
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    })
  })
})
