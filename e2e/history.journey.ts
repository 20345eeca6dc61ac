import type { Page } from '@playwright/test'
import {
  callApi,
  DESKTOP,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  failWith,
  hold,
  join,
  test,
  toast,
  visit,
} from './product.ts'
import { addCompany, addFounder } from './records.ts'

const KINDS = [
  { noun: 'founder', path: '/founders', add: addFounder },
  { noun: 'company', path: '/companies', add: addCompany },
] as const

const dialog = (page: Page) => page.getByRole('dialog')
const entries = (page: Page) => dialog(page).getByRole('region', { name: 'History' }).locator('ol > li')

const make = async (page: Page, { noun, path, add }: (typeof KINDS)[number] = KINDS[0]) => {
  const { id, name } = await add(page)
  return { id, name, noun, path }
}
const show = async (page: Page, { name, path }: { name: string; path: string }) => {
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await visit(page, `${path}?search=${name}`)
  return page.getByRole('button', { name: `History of ${name}` })
}

test.describe('The history of a record', () => {
  test('shows who did what and when, live, back to the beginning, with long values collapsed', {
    tag: '@slow',
  }, async ({ page, openCaller }) => {
    await join(page, { name: 'Ada Lovelace' })
    await test.step('shows who did what and when, newest first, with old and new values', async () => {
      const record = await make(page, KINDS[1])
      const { id, name, noun, path } = record
      await callApi(page, 'PUT', `${path}/${id}`, { rating: 8 })
      await callApi(page, 'PUT', `${path}/${id}`, { notes: 'Met again.' })
      await callApi(page, 'POST', `/notes/${noun}/${id}`, { content: 'Call on Monday' })
      await (await show(page, record)).click()
      await expect(dialog(page).getByRole('heading', { name })).toBeVisible()
      await expect(entries(page)).toHaveCount(4)
      await expect(entries(page).nth(0)).toContainText('Ada Lovelace added a note')
      await expect(entries(page).nth(0)).toContainText('Call on Monday')
      await expect(entries(page).nth(1)).toContainText('Ada Lovelace edited this record')
      await expect(entries(page).nth(1)).toContainText('Before: Met.')
      await expect(entries(page).nth(1)).toContainText('After: Met again.')
      await expect(entries(page).nth(2)).toContainText(/5\/10.*→.*8\/10/)
      await expect(entries(page).nth(2).getByRole('time')).toHaveText('just now')
      await expect(entries(page).nth(3)).toContainText('Ada Lovelace added this record')
      await expectAccessible(page)
    })
    await test.step('updates while it is open, after a change by another fellow', async () => {
      const record = await make(page)
      await (await show(page, record)).click()
      await expect(entries(page)).toHaveCount(1)
      const other = await openCaller()
      await join(other, { name: 'Other Fellow' })
      const { body } = await callApi(other, 'POST', `/notes/founder/${record.id}`, { content: 'A secret of mine' })
      await expect(entries(page).first()).toContainText('Other Fellow added a note')
      await callApi(other, 'DELETE', `/notes/founder/${record.id}/${body.note.id}`)
      await expect(entries(page).first()).toContainText('Other Fellow deleted a note')
      await expect(entries(page).nth(1)).toContainText('added a note, which has been deleted')
      await expect(dialog(page)).not.toContainText('A secret of mine')
    })
    await test.step('loads older history on scroll', async () => {
      const record = await make(page)
      for (let count = 0; count < 60; count += 1) {
        await callApi(page, 'PUT', `/founders/${record.id}`, { rating: (count % 10) + 1 })
      }
      await (await show(page, record)).click()
      await expect(entries(page).first()).toBeVisible()
      await dialog(page).getByRole('region', { name: 'History' }).focus()
      await page.keyboard.press('End')
      await expect(entries(page)).toHaveCount(61)
      await page.keyboard.press('End')
      await expect(entries(page).last()).toContainText('added this record')
    })
    await test.step('Escape and its button close it and return the focus; it also opens from My Records', async () => {
      const record = await make(page)
      const button = await show(page, record)
      await button.focus()
      await page.keyboard.press('Enter')
      await expect(dialog(page)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toBeHidden()
      await expect(button).toBeFocused()
      await button.click()
      await dialog(page).getByRole('button', { name: 'Close history' }).click()
      await expect(dialog(page)).toBeHidden()
      await expect(button).toBeFocused()
      await page.getByRole('navigation').getByRole('link', { name: 'My Records' }).click()
      await expect(page).toHaveURL('/my-records')
      await button.click()
      await expect(entries(page)).toHaveCount(1)
    })
    await test.step('collapses long values, and fits into 1440 and 390 pixels, light and dark', async () => {
      const record = await make(page)
      const long = `${'w'.repeat(300)} ${'many words of notes '.repeat(60)}`
      await callApi(page, 'PUT', `/founders/${record.id}`, { notes: long, rating: 8 })
      const other = await openCaller()
      await join(other, { name: 'A fellow with a rather long name, longer than most others have' })
      await callApi(other, 'POST', `/notes/founder/${record.id}`, { content: 'مرحبا \u{1f98a}' })
      await (await show(page, record)).click()
      await expect(entries(page)).toHaveCount(3)
      const more = dialog(page).getByRole('button', { name: 'more of notes after' })
      // The cards of a phone have no button that opens it.
      for (const [width, colorScheme] of [
        [1440, 'light'],
        [390, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 })
        await expect(more).toBeVisible()
        await expectNoSidewaysScroll(page)
        await expectAccessible(page, [colorScheme])
      }
      await more.click()
      await expect(dialog(page).getByRole('button', { name: 'less of notes after' })).toBeVisible()
      await page.setViewportSize(DESKTOP)
    })
    await test.step('shows the result of a refresh, and the hints that it used', async () => {
      const record = await make(page)
      const sentence = 'refreshed this record, and nothing changed'
      const said = { sentence, notice: 'No public data found', hints: { name: 'Ada King' } }
      await page.route(`**/api/founders/${record.id}/history?*`, async (route) => {
        const answer = await route.fetch()
        const [entry] = await answer.json()
        await route.fulfill({ response: answer, json: [{ ...entry, action: 'enrich', changes: [], ...said }] })
      })
      await (await show(page, record)).click()
      await expect(entries(page)).toContainText('Ada Lovelace refreshed this record, and nothing changed')
      await expect(entries(page)).toContainText('With the hint name “Ada King”. No public data found.')
    })
  })

  test('shows that it is loading, and offers to try again when loading fails', async ({ page, complaints }) => {
    await join(page)

    const record = await make(page)
    const button = await show(page, record)
    const release = await hold(page, '/founders/*/history?*')
    await button.click()
    await expect(dialog(page).getByRole('status', { name: 'Loading the history' })).toBeVisible()
    release()
    await expect(entries(page)).toHaveCount(1)
    await page.unrouteAll({ behavior: 'wait' })
    await page.reload()
    await failWith(page, '/founders/*/history?*', 500, {})
    await button.click()
    await expect(dialog(page).getByText('The history could not be loaded.')).toBeVisible()
    await expect(toast(page, 'Failed to load the history'), 'said once').toHaveCount(0)
    await page.unrouteAll({ behavior: 'wait' })
    await dialog(page).getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(entries(page)).toHaveCount(1)
    await expect(dialog(page).getByRole('region', { name: 'History' })).toBeFocused()
    expectNoComplaintsButOf(complaints, 500)
  })
})
