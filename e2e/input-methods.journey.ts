import type { Page } from '@playwright/test'
import { part, stageNamed } from './pipeline.ts'
import { callApi, expect, expectNoComplaintsButOf, hold, join, own, test, toast, visit } from './product.ts'
import { addFounder } from './records.ts'

/** Composes text as an input method does. Its Enter and Escape are keys of the composition. */
async function compose(page: Page, text: string, end: 'Enter' | 'Escape') {
  const session = await page.context().newCDPSession(page)
  await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  const key = { key: end, code: end, windowsVirtualKeyCode: 229 }
  await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
  if (end === 'Enter') await session.send('Input.insertText', { text })
  await session.detach()
}

test.describe('With an input method', () => {
  test('keys of a composition are its own, and others act on any layout', async ({ page }) => {
    await join(page)
    await test.step('Enter and Escape of a composition neither save, close nor search', async () => {
      const { id, name } = await addFounder(page)
      await visit(page, `/founders/${id}`)
      const note = page.getByRole('textbox', { name: 'New note' })
      await note.focus()
      await compose(page, '日本', 'Enter')
      await expect(note).toHaveValue('日本')
      await note.fill('')

      await page.getByRole('button', { name: 'Add a next step' }).click()
      const step = page.getByRole('textbox', { name: 'Next step' })
      await step.focus()
      await compose(page, '電話', 'Escape')
      await expect(step).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await step.fill('')
      await step.press('Escape')

      await page.getByRole('button', { name: `Edit the name of ${name}` }).click()
      const box = page.getByRole('textbox', { name: 'Name', exact: true })
      await box.fill('')
      await compose(page, '山田', 'Enter')
      await expect(box).toHaveValue('山田')
      await box.press('Enter')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('山田')

      await visit(page, '/founders')
      await page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: 'More' }).click()
      const dialog = page.getByRole('dialog', { name: 'More filters' })
      await dialog.getByRole('combobox', { name: 'Found by' }).focus()
      await compose(page, '東京', 'Escape')
      await expect(dialog).toBeVisible()
      // Ends the composition, and closes the list of fellows.
      await dialog.getByLabel('Status').focus()
    })
    await test.step('keys act on other layouts, and with Arabic digits', async () => {
      const word = own('Layout')
      const { id } = await addFounder(page, { name: word })
      await visit(page, `/founders/${id}`)
      await expect(part(page, 'Pipeline')).toBeVisible()
      const press = (key: string, code: string, held: object = {}) =>
        page.evaluate(
          (init) => void document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true })),
          { key, code, ...held },
        )
      await press('ы', 'KeyS')
      await expect(page.getByRole('menu')).toBeVisible()
      await press('٢', 'Digit2')
      await expect(part(page, 'Pipeline').getByRole('button', { name: 'Stage: Met' })).toBeVisible()
      await press('л', 'KeyK', { ctrlKey: true })
      await expect(page.getByRole('dialog', { name: 'Search', exact: true })).toBeVisible()
    })
  })
})

/** One's own opinion of a record. */
const ratingOf = async (page: Page, id: string): Promise<number | undefined> =>
  (await callApi(page, 'GET', `/records/${id}/opinions`)).body.mine?.rating

test.describe('A key that belongs to a panel which is still loading waits for it', () => {
  test('a digit, Enter, S, J and the keys of a form act on the right record, once it is there; one that cannot load says so', {
    tag: '@slow',
  }, async ({ page, complaints }) => {
    await join(page)
    await test.step('a digit right after Change yours, while the script of the form loads', async () => {
      const { id } = await addFounder(page)
      await callApi(page, 'PUT', `/records/${id}/opinion`, { rating: 4 })
      let load = () => {}
      const held = new Promise<void>((done) => {
        load = done
      })
      await page.route('**/assets/forms-*.js', async (route) => {
        await held
        await route.continue()
      })
      await visit(page, `/founders/${id}`)
      await page.getByRole('button', { name: 'Change yours' }).click()
      await page.keyboard.press('0')
      await page.keyboard.press('Enter')
      load()
      await expect(page.getByText('10/10').first()).toBeVisible()
      await expect.poll(() => ratingOf(page, id)).toBe(10)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('a digit, Enter and S on a record whose opinions are not there yet', async () => {
      const { id, name } = await addFounder(page)
      const met = await stageNamed(page, 'Met')
      const release = await hold(page, `/records/${id}/opinions`)
      await visit(page, `/founders/${id}`)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      for (const key of ['8', 'Enter', 's', '2', 'p', '3']) await page.keyboard.press(key)
      release()
      await expect(part(page, 'Pipeline').getByRole('combobox', { name: 'Status' })).toHaveValue('passed')
      const { body } = await callApi(page, 'GET', `/records/${id}/opinions`)
      expect(body.mine).toMatchObject({ rating: 8 })
      expect((await callApi(page, 'GET', `/records/${id}/pipeline`)).body).toMatchObject({
        ...{ stage: { id: met }, status: 'passed', reason: { name: 'Team' } },
      })
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('a digit right after J is for the next record', async () => {
      const word = own('Next')
      const [second, first] = [
        await addFounder(page, { name: `${word} 2` }),
        await addFounder(page, { name: `${word} 1` }),
      ]
      await visit(page, `/founders?search=${word}`)
      await page.getByRole('link', { name: `${word} 1`, exact: true }).click()
      await expect(part(page, 'Pipeline')).toBeVisible()
      const release = await hold(page, `/records/${second.id}/opinions`)
      for (const key of ['j', '7', 'Enter']) await page.keyboard.press(key)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${word} 2`)
      release()
      await expect(page.getByText('7/10').first()).toBeVisible()
      await expect.poll(() => ratingOf(page, second.id)).toBe(7)
      expect(await ratingOf(page, first.id)).toBeUndefined()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('and one that cannot load says so', async () => {
      const { id } = await addFounder(page)
      await page.route(`**/api/records/${id}/opinions`, (route) =>
        route.fulfill({ status: 403, json: { error: 'No' } }),
      )
      await visit(page, `/founders/${id}`)
      await expect(page.getByText('The opinions could not be loaded.')).toBeVisible()
      await page.keyboard.press('8')
      await expect(toast(page, 'The opinions could not be loaded.')).toHaveCount(2)
      expectNoComplaintsButOf(complaints, 403)
    })
  })
})
