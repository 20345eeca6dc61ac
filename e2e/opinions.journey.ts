import type { Page } from '@playwright/test'
import { operate } from './operator.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  expectNoSidewaysScrollAtAnyWidth,
  failWith,
  join,
  own,
  test,
  toast,
  visit,
} from './product.ts'
import { addFounder } from './records.ts'
import { walk } from './walk.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'Opinions', exact: true })
const stars = (page: Page) => panel(page).getByRole('group', { name: 'Your rating' })

test.describe('Second opinions on a record page', () => {
  test('are blind until one’s own is given, mark what is changed after reading, and are a filter of lists', async ({
    page,
    openCaller,
    complaints,
  }) => {
    await join(page)
    await test.step('are a quiet button without any, then blind until one’s own is given by keyboard', async () => {
      const { id } = await addFounder(page, { name: own('Ada') })
      await visit(page, `/founders/${id}`)
      const give = panel(page).getByRole('button', { name: 'Give your opinion' })
      await expect(give).toBeVisible()
      await expect(panel(page).getByText('Give yours to read')).toBeHidden()

      const [tom, noor] = [await openCaller(), await openCaller()]
      await join(tom, { name: 'Tom Baker' })
      await join(noor, { name: 'Noor Haddad' })
      await callApi(tom, 'PUT', `/records/${id}/opinion`, { rating: 9, comment: 'Ships every week' })
      await expect(panel(page).getByText('1 opinion. Give yours to read it.')).toBeVisible()
      await callApi(noor, 'PUT', `/records/${id}/opinion`, { rating: 4 })
      await expect(panel(page).getByText('2 opinions. Give yours to read them.')).toBeVisible()
      await expect(page.getByText('Ships every week')).toBeHidden()
      await expectAccessible(page)

      const { key, type, expectActs } = walk(page)
      await key('o')
      await expect(stars(page).getByRole('radio').first()).toBeFocused()
      await key('7')
      await expect(stars(page).getByRole('radio', { name: '7 of 10' })).toBeChecked()
      await key('Tab')
      await type('Calm and clear')
      await expect(panel(page).getByText('14/280')).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScrollAtAnyWidth(page)
      await key('ControlOrMeta+Enter')
      expectActs(5)

      await expect(panel(page).getByText('3 opinions · median 7 · spread 5')).toBeVisible()
      await expect(panel(page).getByRole('listitem')).toHaveText([
        /You.*7\/10.*Calm/,
        /Tom Baker.*9\/10/,
        /Noor.*4\/10/,
      ])
      await expect(panel(page).getByRole('button', { name: 'Change yours' })).toBeFocused()
    })
    await test.step('marks what is changed after reading, keeps what is typed, and is blind again after a deletion', async () => {
      const { id } = await addFounder(page, { name: own('Ada') })
      const tom = await openCaller()
      await join(tom, { name: 'Tom Baker' })
      await callApi(tom, 'PUT', `/records/${id}/opinion`, { rating: 9 })
      await callApi(page, 'PUT', `/records/${id}/opinion`, { rating: 4 })
      await visit(page, `/founders/${id}`)
      await panel(page).getByRole('button', { name: 'Change yours' }).click()
      await page.keyboard.press('0')
      const comment = panel(page).getByLabel('Comment (optional)')
      await comment.fill('x'.repeat(281))
      await expect(panel(page).getByText('Comment must be at most 280 characters')).toBeVisible()
      await expect(panel(page).getByRole('button', { name: 'Save opinion' })).toBeDisabled()
      await comment.fill('On second thought')
      await page.reload()
      await expect(comment).toHaveValue('On second thought')
      await panel(page).getByRole('button', { name: 'Save opinion' }).click()
      await expect(panel(page).getByRole('listitem').first()).toContainText('10/10')
      await expect(panel(page).getByRole('listitem').first()).toContainText('after reading others')

      await panel(page).getByRole('button', { name: 'Delete yours' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await expect(panel(page).getByText('1 opinion. Give yours to read it.')).toBeVisible()
    })
    await test.step('Ask for opinions chooses fellows, keeps them when the server refuses, and asks each of them', async () => {
      const { id } = await addFounder(page, { name: own('Ada') })
      const [tom, noor] = [await openCaller(), await openCaller()]
      const names = [own('Tom'), own('Noor')]
      await join(tom, { name: names[0] as string })
      await join(noor, { name: names[1] as string })
      await visit(page, `/founders/${id}`)
      const { pressByKey, type, key, expectActs } = walk(page)
      await pressByKey('button', 'Ask for opinions')
      const form = page.getByRole('form', { name: 'Ask for opinions' })
      await expect(form.getByRole('combobox')).toBeFocused()
      for (const name of names) {
        await type(name)
        await expect(page.getByRole('option', { name })).toBeVisible()
        await expect(page.getByRole('option', { name })).toHaveAttribute('data-combobox-selected', 'true')
        await key('Enter')
        await expect(form).toContainText(name)
      }
      await expect(page.getByRole('option')).not.toHaveCount(0)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      const fields = { fellows: 'One of these fellows is not active' }
      await failWith(page, `/records/${id}/opinions/ask`, 400, { error: fields.fellows, fields })
      const ask = form.getByRole('button', { name: 'Ask', exact: true })
      await ask.press('Enter')
      await expect(form.getByText(fields.fellows)).toBeVisible()
      await expect(form).toContainText(names[0] as string)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      expectNoComplaintsButOf(complaints, 400)
      await pressByKey('button', 'Ask')
      expectActs(6)
      await expect(toast(page, 'Asked 2 fellows for their opinions')).toBeVisible()
      await expect(form).toBeHidden()
      await expect(panel(page).getByRole('button', { name: 'Give your opinion' })).toBeFocused()
      for (const asked of [tom, noor])
        expect((await callApi(asked, 'GET', '/inbox')).body).toMatchObject([{ kind: 'opinion', record: { id } }])
    })
    await test.step('are a filter of lists: waiting for your opinion', async () => {
      const name = own('Ada')
      const { id } = await addFounder(page, { name })
      const tom = await openCaller()
      await join(tom)
      await callApi(tom, 'PUT', `/records/${id}/opinion`, { rating: 9 })
      await visit(page, `/founders?search=${name}`)
      const { press, choose, expectActs } = walk(page)
      await press('button', 'More')
      await choose('Opinions', 'Waiting for yours')
      expectActs(2)
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(/opinion=missing/)
      await expect(page.getByRole('article', { name })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Remove filter: Waiting for your opinion' })).toBeVisible()
      await callApi(page, 'PUT', `/records/${id}/opinion`, { rating: 5 })
      await expect(page.getByRole('article', { name })).toBeHidden()
    })
  })

  test('are revealed by a manager, once, after a question; colleagues see them without a reload', {
    tag: '@slow',
  }, async ({ page, product, openCaller }) => {
    const tom = await openCaller()
    await join(tom, { name: 'Tom Baker' })
    const { id } = await addFounder(tom, { name: own('Ada') })
    await callApi(tom, 'PUT', `/records/${id}/opinion`, { rating: 9, comment: 'Ships' })
    const { email } = await join(page, { name: 'Maya Okafor' })
    await page.goto(`/founders/${id}`)
    await expect(panel(page).getByText('1 opinion. Give yours to read it.')).toBeVisible()
    await expect(panel(page).getByRole('button', { name: 'Reveal' })).toBeHidden()
    await operate(product, 'accounts', 'make-manager', email)
    await page.reload()
    await expect(panel(page).getByRole('button', { name: 'Reveal' })).toBeVisible()
    await page.locator('body').press('v')
    const question = page.getByRole('group', { name: 'Reveal these opinions to everyone?' })
    await expect(question.getByRole('button', { name: 'Reveal' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(panel(page).getByText('1 opinion. Give yours to read it.')).toBeVisible()
    await panel(page).getByRole('button', { name: 'Reveal' }).click()
    await question.getByRole('button', { name: 'Reveal' }).click()
    await expect(panel(page).getByRole('listitem')).toContainText('Ships')
    await expect(panel(page).getByText(/Revealed to everyone on/)).toBeVisible()
    await expect(panel(page).getByRole('button', { name: 'Reveal' })).toBeHidden()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
})
