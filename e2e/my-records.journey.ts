import type { Page } from '@playwright/test'
import {
  type Caller,
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  failWith,
  join,
  own,
  test,
  toast,
  visit,
} from './product.ts'
import { addCompany, addFounder, card } from './records.ts'
import { walk } from './walk.ts'

const makeFounder = (caller: Caller, name: string) => addFounder(caller, { name })
const makeCompany = (page: Page, name: string) => addCompany(page, { name })

test.describe('My Records', () => {
  test('has the records and counts of a fellow, by kind and by search, and what to do without any', async ({
    page,
    complaints,
  }) => {
    const { email } = await join(page, { name: 'Grace Hopper' })
    const [founder, company] = [own('Mine'), own('Firm')]
    await test.step('without records says Start Building Your Portfolio; with founders alone, Companies Only says No records found', async () => {
      await visit(page, '/my-records')
      await expect(page.getByText('Start Building Your Portfolio')).toBeVisible()
      await expectAccessible(page)
      const { id } = await makeFounder(page, founder)
      await callApi(page, 'POST', `/notes/founder/${id}`, { content: 'x' })
      await visit(page, '/my-records?show=companies')
      await expect(page.getByText('No records found')).toBeVisible()
      await expect(page.getByText('You have no companies yet.')).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: 'Add Company' })).toBeVisible()
      await expect(page.getByText('Start Building Your Portfolio')).toBeHidden()
    })
    await test.step('has a user badge, three counts, tabs with numbers, and cards with badges, each with its own edit mode', async () => {
      await makeCompany(page, company)
      await visit(page, '/my-records')
      await expect(page.getByRole('main')).toContainText('Grace Hopper')
      await expect(page.getByRole('main')).toContainText(email)
      for (const [label, count] of [
        ['My Founders', '1'],
        ['My Companies', '1'],
        ['Total Records', '2'],
      ] as const) {
        await expect(page.getByRole('term').filter({ hasText: label })).toBeVisible()
        await expect(page.locator('dl > *').filter({ hasText: label })).toContainText(count)
      }
      for (const tab of ['All Records 2', 'Founders Only 1', 'Companies Only 1']) {
        await expect(page.getByRole('tab', { name: tab })).toBeVisible()
      }
      await expect(card(page, founder)).toContainText('Created')
      await expect(card(page, founder)).toContainText('1 note')

      for (const name of [founder, company]) {
        await expect(page.getByRole('button', { name: `Edit ${name}` })).toBeVisible()
        await expect(page.getByRole('button', { name: `Delete ${name}` })).toBeEnabled()
      }
      await page.getByRole('button', { name: `Edit ${founder}` }).click()
      await expect(card(page, founder).getByRole('textbox', { name: 'Notes' })).toBeVisible()
      await expect(card(page, company).getByRole('textbox')).toHaveCount(0)
      await card(page, founder).getByRole('button', { name: 'Cancel' }).click()
      await expect(card(page, founder).getByRole('textbox')).toHaveCount(0)
    })
    await test.step('Founders Only, Companies Only and All Records filter; search and tab are in the URL, and going back restores', async () => {
      const cards = page.getByRole('main').getByRole('article')
      for (const [tab, names] of [
        [/^Founders Only/, [founder]],
        [/^All Records/, [company, founder]],
        [/^Companies Only/, [company]],
      ] as const) {
        await page.getByRole('tab', { name: tab }).click()
        await expect(cards).toHaveCount(names.length)
        for (const name of names) await expect(card(page, name)).toBeVisible()
      }
      await expect(page).toHaveURL(/show=companies/)
      await page
        .getByRole('searchbox')
        .or(page.getByPlaceholder(/search/i))
        .first()
        .fill('nothing like it')
      await expect(page.getByText('No records found')).toBeVisible()
      await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
      await page.goBack()
      await expect(page.getByText('No records found')).toBeVisible()
      await expect(page.getByRole('tab', { name: /Companies Only/ })).toHaveAttribute('aria-selected', 'true')
    })
    await test.step('a failure of my-notes is tolerated', async () => {
      await failWith(page, '/notes/my-notes', 500, {})
      await page.goto('/my-records')
      await expect(card(page, founder)).toBeVisible()
      expectNoComplaintsButOf(complaints, 500)
    })
  })

  test('edits in place, and loses nothing that was typed', { tag: '@slow' }, async ({ page, complaints }) => {
    await join(page)
    await test.step('a card that is being edited leaves the list when a search does not find it, after asking if something was typed', async () => {
      const [name, other] = [own('Edit'), own('Other')]
      for (const one of [name, other]) await makeFounder(page, one)
      await visit(page, '/my-records')
      const search = page.getByRole('searchbox', { name: 'Search your records' })
      const notes = card(page, name).getByRole('textbox', { name: 'Notes' })
      await card(page, name).getByRole('button', { name: /^Edit/ }).click()
      await search.fill(name)
      await expect(card(page, other)).toBeHidden()
      await expect(notes).toBeVisible()
      await search.fill(other)
      await expect(card(page, name)).toBeHidden()
      await search.fill('')
      await card(page, name).getByRole('button', { name: /^Edit/ }).click()

      await notes.fill('Typed.')
      const question = page.getByRole('dialog', { name: 'Discard your changes?' })
      await search.fill(other)
      await question.getByRole('button', { name: 'Keep editing' }).click()
      await expect(search).toBeFocused()
      await expect(notes).toHaveValue('Typed.')
      await search.fill('nothing like it')
      await question.getByRole('button', { name: 'Discard' }).click()
      await expect(page.getByText('No records found')).toBeVisible()
      await search.fill('')
      await expect(card(page, name)).toContainText('Met.')
      await expect(notes).toHaveCount(0)
    })
    await test.step('edits notes and rating in place, by keyboard alone', async () => {
      const name = own('Edit')
      await makeFounder(page, name)
      await visit(page, '/my-records')
      const { pressByKey, type, key, expectActs } = walk(page)
      await pressByKey('button', `Edit ${name}`)
      await expect(page.getByRole('textbox', { name: 'Notes' })).toBeFocused()
      await type(' And again.')
      await key('Tab')
      await key('ArrowRight')
      await expect(page.getByRole('radio', { name: '6 of 10' })).toBeChecked()
      await expectAccessible(page)
      await pressByKey('button', 'Save Changes')
      expectActs(5)
      await expect(toast(page, `Founder updated successfully`)).toBeVisible()
      await expect(card(page, name)).toContainText('Met. And again.')
      await expect(card(page, name)).toContainText('6/10')
    })
    await test.step('Cancel and Escape ask before discarding typed text; blank notes are refused at the field', async () => {
      const name = own('Edit')
      await makeFounder(page, name)
      await visit(page, '/my-records')
      await card(page, name).getByRole('button', { name: /^Edit/ }).click()
      await page.getByRole('textbox', { name: 'Notes' }).fill(' ')
      await card(page, name).getByRole('button', { name: 'Save Changes' }).click()
      await expect(card(page, name).getByText('Notes are required')).toBeVisible()
      const question = page.getByRole('dialog', { name: 'Discard your changes?' })
      for (const leave of [
        () => page.getByRole('textbox', { name: 'Notes' }).press('Escape'),
        () => card(page, name).getByRole('button', { name: 'Cancel' }).click(),
      ]) {
        await leave()
        await question.getByRole('button', { name: 'Keep editing' }).click()
        await expect(page.getByRole('textbox', { name: 'Notes' })).toHaveValue(' ')
      }
      await card(page, name).getByRole('button', { name: 'Cancel' }).click()
      await question.getByRole('button', { name: 'Discard' }).click()
      await expect(card(page, name)).toContainText('Met.')
    })
    await test.step('an edit of an outdated version shows both versions, and lets the person choose', async () => {
      const name = own('Conflict')
      const { id } = await makeFounder(page, name)
      await visit(page, '/my-records')
      await card(page, name).getByRole('button', { name: /^Edit/ }).click()
      await page.getByRole('textbox', { name: 'Notes' }).fill('My version.')
      await callApi(page, 'PUT', `/founders/${id}`, { notes: 'Their version.' })
      await expect(card(page, name).getByText('Ada Lovelace changed this while you were editing')).toBeVisible()
      await card(page, name).getByRole('button', { name: 'Save Changes' }).click()
      await expect(card(page, name)).toContainText('Their version.')
      await expect(page.getByRole('textbox', { name: 'Your notes' })).toHaveValue('My version.')
      await expectAccessible(page)
      await card(page, name).getByRole('button', { name: 'Keep mine' }).click()
      await expect(toast(page, 'Founder updated successfully')).toBeVisible()
      expect((await callApi(page, 'GET', `/founders/${id}`)).body.notes).toBe('My version.')
      expectNoComplaintsButOf(complaints, 409)
    })
  })

  test('deletes after a question, where the fellow may', async ({ page, openCaller }) => {
    await join(page)
    await test.step("deleting asks for confirmation with the record's name and confirms the deletion; Cancel deletes nothing", async () => {
      const [next, name] = [own('Next'), own('Delete')]
      for (const one of [next, name]) await makeCompany(page, one)
      await visit(page, '/my-records')
      await card(page, name)
        .getByRole('button', { name: /^Delete/ })
        .click()
      await expect(page.getByRole('dialog')).toContainText(name)
      await expect(page.getByRole('dialog')).toContainText(/permanent/i)
      await expectAccessible(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByRole('dialog')).toBeHidden()
      await page.reload()
      const { press, expectActs } = walk(page)
      await press('button', `Delete ${name}`)
      await press('button', /^Delete/, page.getByRole('dialog'))
      expectActs(2)
      await expect(toast(page, `Company "${name}" deleted successfully`)).toBeVisible()
      await expect(card(page, name)).toBeHidden()
      await expect(page.getByRole('listitem').filter({ has: card(page, next) })).toBeFocused()
    })
    await test.step("Delete is disabled on another fellow's record that I noted, and says who can delete it", async () => {
      const owner = await openCaller()
      await join(owner, { name: 'The Owner' })
      const name = own('Theirs')
      const { id } = await makeFounder(owner, name)

      await callApi(page, 'POST', `/notes/founder/${id}`, { content: 'x' })
      await visit(page, '/my-records')
      await expect(card(page, name)).toBeVisible()
      const remove = card(page, name).getByRole('button', { name: /^Delete/ })
      await expect(remove).toBeDisabled()
      await expect(remove).toHaveAccessibleDescription('Only the fellow who added this record can delete it')
      await remove.hover()
      await remove.click({ force: true })
      await expect(page.getByRole('dialog')).toBeHidden()
      await expect(card(page, name)).not.toContainText('Created')
    })
  })
})
