import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  join,
  own,
  test,
  toast,
} from './product.ts'
import { addCompany, addFounder, card, merge } from './records.ts'

const KINDS = [
  { noun: 'founder', path: 'founders', add: addFounder, field: 'title', value: 'Chief engineer', prose: 'bio' },
  { noun: 'company', path: 'companies', add: addCompany, field: 'industry', value: 'Aviation', prose: 'description' },
] as const

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const saved = (page: Page) => toast(page, /updated successfully/)

for (const { noun, path, add, field, value, prose } of KINDS) {
  test.describe(`The page of a ${noun}`, () => {
    test('opens from its card, has the name as its title, and Back returns to the place', async ({ page }) => {
      await join(page)
      const word = own('Shown')
      await add(page, { name: `${word} one` })
      await add(page, { name: `${word} two` })
      await page.goto(`/${path}?search=${word}`)
      await card(page, `${word} one`)
        .getByRole('link', { name: `${word} one` })
        .click()
      await expect(heading(page, `${word} one`)).toBeVisible()
      await expect(page).toHaveTitle(new RegExp(`${word} one`))
      await page.keyboard.press('k')
      await expect(heading(page, `${word} two`)).toBeVisible()
      await page.keyboard.press('j')
      await expect(heading(page, `${word} one`)).toBeVisible()
      await page.goBack()
      await expect(page).toHaveURL(new RegExp(`search=${word}$`))
      await expect(card(page, `${word} two`)).toBeVisible()
    })

    test('corrects a value in place by keyboard alone, and History puts the old one back', async ({ page }) => {
      await join(page)
      const { id, name } = await add(page)
      await page.goto(`/${path}/${id}`)
      await expect(heading(page, name)).toBeVisible()
      await page.keyboard.press('e')
      await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(`${name} corrected`)
      await page.keyboard.press('Enter')
      await expect(saved(page)).toBeVisible()
      await expect(heading(page, `${name} corrected`)).toBeVisible()
      const { body } = await callApi(page, 'GET', `/${path}?search=${name} corrected`)
      expect(body).toHaveLength(1)
      await page.getByRole('button', { name: `Add a${/^[aeio]/.test(field) ? 'n' : ''} ${field}` }).click()
      await page.keyboard.type(value)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: `Edit the ${field} of` })).toBeVisible()
      await page.keyboard.press('e')
      await page.keyboard.type('not saved')
      await page.keyboard.press('Escape')
      await expect(heading(page, `${name} corrected`)).toBeVisible()
      await page
        .getByRole('button', { name: /^Put back/ })
        .last()
        .click()
      await expect(heading(page, name)).toBeVisible()
    })

    test('shows the second of two corrections at the same time the conflict, and keeps what was typed', async ({
      page,
      complaints,
    }) => {
      await join(page)
      const { id, name, version } = await add(page)
      await page.goto(`/${path}/${id}`)
      await page.getByRole('button', { name: `Edit the name of ${name}` }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
      const other = { name: `${name} theirs`, version }
      expect((await callApi(page, 'PATCH', `/${path}/${id}`, other)).status).toBe(200)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText(`${name} theirs`).first()).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Your name' })).toHaveValue('Mine')
      await page.getByRole('button', { name: 'Keep mine' }).click()
      await expect(heading(page, 'Mine')).toBeVisible()
      expectNoComplaintsButOf(complaints, 409)
    })

    test('follows changes of others live, and shows what was deleted and where a merged one went', async ({
      page,
      complaints,
    }) => {
      await join(page)
      const [first, second] = [await add(page), await add(page)]
      await page.goto(`/${path}/${second.id}`)
      await expect(heading(page, second.name)).toBeVisible()
      await callApi(page, 'POST', `/notes/${noun}/${second.id}`, { content: 'Noted elsewhere' })
      await expect(page.getByText('Noted elsewhere').first()).toBeVisible()
      await merge(page, first, second)
      await page.goto(`/${path}/${second.id}`)
      await expect(page).toHaveURL(`/${path}/${first.id}`)
      await expect(heading(page, first.name)).toBeVisible()
      const gone = await add(page)
      await callApi(page, 'DELETE', `/${path}/${gone.id}`)
      await page.goto(`/${path}/${gone.id}`)
      await expect(heading(page, 'This record has been deleted')).toBeVisible()
      await page.goto(`/${path}/nothing`)
      await expect(page).toHaveURL('/')
      expectNoComplaintsButOf(complaints, 404)
    })

    test('fits at every width, and passes the accessibility check', async ({ page }) => {
      await join(page)
      const name = `${'Wolfeschlegelsteinhausen'.repeat(4)} ${own('Wide')} \u0645\u062d\u0645\u062f \u{1f98a}`
      const { id, version } = await add(page, { name })
      await callApi(page, 'PATCH', `/${path}/${id}`, { [prose]: 'long words '.repeat(400), version })
      await page.goto(`/${path}/${id}`)
      await expect(heading(page, name)).toBeVisible()
      await expectNoSidewaysScrollAtAnyWidth(page)
      await expectAccessible(page)
    })
  })
}
