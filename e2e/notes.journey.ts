import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, join, own, test, toast, visit } from './product.ts'
import { addFounder, card } from './records.ts'

// Notes work the same for every kind of record; these journeys use founders. `calls.journey.ts` checks their calls.

const dialog = (page: Page) => page.getByRole('dialog')
const box = (page: Page) => page.getByRole('textbox', { name: 'New note' })
const addButton = (page: Page) => page.getByRole('button', { name: 'Add Note', exact: true })
const listed = (page: Page) => dialog(page).getByRole('region', { name: 'Notes' }).getByRole('listitem')

const make = async (page: Page, notes: string[] = []) => {
  if (await dialog(page).isVisible()) {
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
  }
  const name = own('Noted')
  const founder = await addFounder(page, { name })
  for (const content of notes) await callApi(page, 'POST', `/notes/founder/${founder.id}`, { content })
  await visit(page, `/founders?search=${name}`)
  return { ...founder, card: card(page, name) }
}
const open = async (page: Page, notes?: string[]) => {
  const record = await make(page, notes)
  await record.card.getByRole('button', { name: /^Add a note/ }).click()
  await expect(dialog(page)).toBeVisible()
  // A journey could type before the page can store the text.
  await expect(box(page)).toBeFocused()
  return record
}

test.describe('The notes of a record', () => {
  test(`is about one record, saves with Enter, and deletes one's own after a question`, async ({
    page,
    openCaller,
  }) => {
    await join(page, { name: 'Ada Lovelace' })
    await test.step('previews 2 notes with a View all N notes button, and Add a note beside the rating', async () => {
      const { card } = await make(page, ['one', 'two', 'three'])
      await expect(card).toContainText('three')
      await expect(card).toContainText('two')
      await expect(card).not.toContainText('one')
      await expect(card).toContainText('Today')
      await expect(card.getByRole('button', { name: /View all 3 notes/ })).toBeVisible()
      const rating = await card.getByText('Rating').locator('..').boundingBox()
      const add = await card.getByRole('button', { name: /Add a note/ }).boundingBox()
      if (!rating || !add) throw new Error('Not all are drawn')
      expect(Math.abs(rating.y + rating.height / 2 - add.y - add.height / 2)).toBeLessThanOrEqual(2)
    })
    await test.step('is titled with the name, says No notes yet, and counts in words', async () => {
      const { name } = await open(page)
      await expect(dialog(page).getByRole('heading', { name })).toBeVisible()
      await expect(dialog(page).getByText('No notes yet')).toBeVisible()
      await expect(dialog(page).getByText('0 notes', { exact: true })).toBeVisible()
      await expect(addButton(page)).toBeDisabled()
      await expectAccessible(page)
    })
    await test.step("Enter saves unless it composes a character, Shift+Enter adds a line break; the server's message is shown", async () => {
      await open(page)
      await page.keyboard.type('にほん')
      await box(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
      await box(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true })
      await expect(box(page)).toHaveValue('にほん')
      await expect(listed(page)).toHaveCount(0)
      await box(page).fill('')
      await page.keyboard.type('First line')
      await page.keyboard.press('Shift+Enter')
      await page.keyboard.type('second line')
      await page.keyboard.press('Enter')
      await expect(toast(page, 'Note added successfully')).toBeVisible()
      await expect(listed(page)).toHaveCount(1)
      await expect(listed(page)).toContainText('First line\nsecond line')
      await expect(listed(page)).toContainText('Ada Lovelace')
      await expect(listed(page)).toContainText('AL')
      await expect(listed(page).getByRole('time')).toHaveText(/^\d?\d:\d\d$/)
      await expect(dialog(page).getByText('1 note', { exact: true })).toBeVisible()
      await expect(box(page)).toHaveValue('')
    })
    await test.step('a delete icon appears only on notes of the current user; deleting asks for confirmation, Cancel deletes nothing', async () => {
      const { id, card } = await make(page, ['mine'])
      const other = await openCaller()
      await join(other, { name: 'Other Fellow' })
      await callApi(other, 'POST', `/notes/founder/${id}`, { content: 'theirs' })
      await card.getByRole('button', { name: /View all 2 notes/ }).click()
      await expect(listed(page)).toHaveCount(2)
      await expect(dialog(page).getByRole('button', { name: 'Delete note' })).toHaveCount(1)
      await listed(page).filter({ hasText: 'mine' }).hover()
      await dialog(page).getByRole('button', { name: 'Delete note' }).click()
      const question = page.getByText('Are you sure you want to delete this note?')
      await expect(question).toBeVisible()
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await expect(question).toBeHidden()
      await expect(listed(page)).toHaveCount(2)
      await dialog(page).getByRole('button', { name: 'Delete note' }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await expect(toast(page, 'Note deleted successfully')).toBeVisible()
      await expect(listed(page)).toHaveCount(1)
      await expect(listed(page)).toContainText('theirs')
    })
    await test.step('@ opens the fellows, accents ignored; Enter chooses while the list is open, and saves otherwise', async () => {
      const other = await openCaller()
      const name = own('Zoé')
      await join(other, { name })
      const { id } = await open(page)
      const fellows = page.getByRole('listbox', { name: 'Fellows' })
      await page.keyboard.type('Ask @')
      await expect(fellows.getByRole('option')).not.toHaveCount(0)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(fellows).toBeHidden()
      await expect(dialog(page)).toBeVisible()
      await page.keyboard.press('Backspace')
      // Before they are there, Enter waits for them.
      await page.keyboard.type(`@${name.replace('é', 'e')}`)
      await page.keyboard.press('Enter')
      await expect(box(page)).toHaveValue(`Ask @${name} `)
      await page.keyboard.type(`and @${name.slice(1)}`)
      const offered = await fellows.getByRole('option', { name }).getAttribute('id')
      await expect(box(page)).toHaveAttribute('aria-activedescendant', offered ?? '')
      await page.keyboard.press('Tab')
      await expect(box(page)).toHaveValue(`Ask @${name} and @${name} `)
      await expect(box(page)).toBeFocused()
      await page.keyboard.type(`or @${name.slice(1)}`)
      await fellows.getByRole('option', { name }).click()
      await expect(box(page)).toBeFocused()
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Escape')
      await expect(fellows).toBeHidden()
      // A draft keeps them.
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toBeHidden()
      await page.keyboard.press('Enter')
      await expect(box(page)).toBeFocused()
      await page.keyboard.press('Control+Home')
      await page.keyboard.type('\u{1f98a} ')
      await page.keyboard.press('Enter')
      await expect(listed(page).filter({ hasNot: page.getByText('Saving…') })).toHaveCount(1)
      const content = `\u{1f98a} Ask @${name} and @${name} or @${name.slice(0, -1)}`
      await expect(listed(page)).toContainText(content)
      const { body } = await callApi(page, 'GET', `/notes/founder/${id}`)
      const length = [...name].length + 1
      expect(body.notes[0]).toMatchObject({
        content,
        mentions: [
          { name, at: 6, length },
          { name, at: 6 + length + 5, length },
        ],
      })
    })
    await test.step('shows rating and Original Notes of the record, collapsed to a line', async () => {
      await page.keyboard.press('Escape')
      const name = own('About')
      await addFounder(page, { name, rating: 8, notes: 'A long story. '.repeat(50) })
      await visit(page, `/founders?search=${name}`)
      await page.getByRole('button', { name: `Add a note on ${name}` }).click()
      await expect(dialog(page)).toContainText('8/10')
      await expect(dialog(page)).toContainText('Original Notes')
      const height = async () => (await dialog(page).boundingBox())?.height ?? 0
      const collapsed = await height()
      expect(collapsed, 'as tall as its content').toBeLessThan(420)
      await dialog(page)
        .getByRole('button', { name: `more of the notes on ${name}` })
        .click()
      expect(await height()).toBeGreaterThan(collapsed + 60)
    })
    await test.step('the counter shows n/1000 in characters as people count them; a longer note is shown with its message', async () => {
      await open(page)
      await box(page).fill('\u{1f98a}'.repeat(1000))
      await expect(dialog(page).getByText('1000/1000')).toBeVisible()
      await expect(addButton(page)).toBeEnabled()
      await box(page).fill('\u{1f98a}'.repeat(1001))
      await expect(dialog(page).getByText('1001/1000')).toBeVisible()
      await expect(dialog(page).getByText('Note must be less than 1000 characters')).toBeVisible()
      await expect(addButton(page)).toBeDisabled()
      await box(page).fill('   ')
      await expect(addButton(page)).toBeDisabled()
      await expectAccessible(page)
    })
  })

  test('closes by Escape, Back and a reload, keeps what was typed, and is a sheet on a phone', {
    tag: '@slow',
  }, async ({ page }) => {
    await join(page)
    await test.step('Escape closes it and returns the focus; typed text is kept', async () => {
      const { card } = await open(page, ['one'])
      await page.keyboard.type('Half a thought')
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toBeHidden()
      await expect(card.getByRole('button', { name: /^View note/ })).toBeVisible()
      const opener = card.getByRole('button', { name: /^Add a note/ })
      await expect(opener).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(box(page)).toHaveValue('Half a thought')
    })
    await test.step('Back closes it and stays on the page; Forward opens it again', async () => {
      await visit(page, '/my-records')
      const { card } = await make(page, ['one'])
      await card.getByRole('button', { name: /^View note/ }).click()
      await expect(box(page)).toBeFocused()
      await page.keyboard.type('Half a thought')
      await page.goBack()
      await expect(dialog(page)).toBeHidden()
      await expect(page).toHaveURL(/\/founders[?]/)
      await expect(card.getByRole('button', { name: /^View note/ })).toBeFocused()
      await page.goForward()
      await expect(box(page)).toHaveValue('Half a thought')
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toBeHidden()
      await page.goBack()
      await expect(page).toHaveURL('/my-records')
    })
    await test.step('is closed after a reload, and Back leaves the page', async () => {
      await visit(page, '/my-records')
      const { card } = await make(page)
      await card.getByRole('button', { name: /^Add a note/ }).click()
      await expect(dialog(page)).toBeVisible()
      await page.reload()
      await expect(card).toBeVisible()
      await expect(dialog(page)).toBeHidden()
      await page.goBack()
      await expect(page).toHaveURL('/my-records')
    })
    await test.step('on a phone it is a sheet that fits, in light and dark', async () => {
      await page.setViewportSize({ width: 390, height: 800 })

      await open(page, ['one', 'two'])
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    })
  })
})
