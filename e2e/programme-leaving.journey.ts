import type { Page } from '@playwright/test'
import { openPeopleAsManager } from './manager.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  freshAddress,
  join,
  own,
  test,
  toast,
} from './product.ts'

const people = (page: Page) => page.getByRole('list', { name: 'People' })
const row = (page: Page, name: string) => people(page).getByRole('listitem').filter({ hasText: name })

/** Opens the menu of a person and chooses an item, by keyboard. */
async function manage(page: Page, name: string, act: string) {
  await page.getByRole('button', { name: `Manage ${name}` }).press('Enter')
  const item = page.getByRole('menuitem', { name: act })
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(item).toBeFocused({ timeout: 200 })
  }).toPass()
  await page.keyboard.press('Enter')
}

async function confirmLeaving(page: Page) {
  const button = page.getByRole('dialog').getByRole('button', { name: 'Let them leave' })
  // What the person has here is counted first.
  await expect(button).toBeEnabled()
  await button.press('Enter')
}

test.describe('Leaving', () => {
  test('is for several people at once, by keyboard, with what each of them has here', { tag: '@slow' }, async ({
    page,
    product,
    openCaller,
  }) => {
    const word = own('Leaver')
    const [ann, bob] = [`Ann ${word}`, `Bob ${word}`]
    const caller = await openCaller()
    await join(caller, { name: ann })
    const body = { name: own('Kept'), linkedIn: 'https://www.linkedin.com/in/kept', notes: 'Met.' }
    expect((await callApi(caller, 'POST', '/founders', body)).status).toBe(201)
    await join(await openCaller(), { name: bob })
    await openPeopleAsManager(page, product)
    await page.getByLabel('Search people').fill(word)
    await expect(people(page).getByRole('listitem')).toHaveCount(2)
    await expect(page.getByRole('button', { name: 'Leaving…' })).toBeDisabled()
    for (const name of [ann, bob]) {
      const box = page.getByRole('checkbox', { name: `Choose ${name}` })
      await box.focus()
      await page.keyboard.press('Space')
      await expect(box).toBeChecked()
    }
    await page.getByRole('button', { name: 'Leaving (2)…' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    const counts = dialog.getByRole('list', { name: 'What they have here' }).getByRole('listitem')
    await expect(counts.filter({ hasText: ann })).toContainText('Added 1 record · found 0 more · wrote 0 notes')
    await expect(counts.filter({ hasText: bob })).toContainText('Added 0 records')
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Leaving (2)…' })).toBeFocused()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Let all 2 leave' }).press('Enter')
    await expect(toast(page, '2 people have left')).toBeVisible()
    for (const name of [ann, bob]) await expect(row(page, name)).toContainText('Left')
    await expect(page.getByLabel('Search people')).toBeFocused()
    await expect(page.getByRole('checkbox', { name: `Choose ${ann}` })).toBeDisabled()
    expect((await callApi(caller, 'GET', '/account')).status).toBe(401)
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)

    await manage(page, ann, 'Enable')
    await expect(row(page, ann)).not.toContainText('Left')
    await manage(page, ann, 'Leaving…')
    await confirmLeaving(page)
    await expect(toast(page, `${ann} has left`)).toBeVisible()
    await expect(page.getByRole('button', { name: `Manage ${ann}` })).toBeFocused()
    await expect(row(page, ann)).toContainText('Left')
  })
})

test('Another spelling of an address that has left is allowed by a manager, by keyboard', { tag: '@slow' }, async ({
  page,
  product,
  openCaller,
  complaints,
}) => {
  const [name, email] = [own('Cyd'), freshAddress('cyd')]
  await join(await openCaller(), { name, email })
  await openPeopleAsManager(page, product)
  await page.getByLabel('Search people').fill(name)
  await expect(people(page).getByRole('listitem')).toHaveCount(1)
  await manage(page, name, 'Leaving…')
  await confirmLeaving(page)
  await expect(row(page, name)).toContainText('Left')
  const other = email.replace('@', '+2@')
  const guest = await openCaller()
  await callApi(guest, 'GET', '/auth/me')
  const ask = () => callApi(guest, 'POST', '/auth/check-user', { email: other })
  expect((await ask()).status).toBe(403)
  await manage(page, name, 'Allow another spelling')
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Refused email' })
  await expect(field).toBeFocused()
  await expectAccessible(page)
  await field.fill('other@mit.edu')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('not another spelling of a disabled address')
  await expect(field).toBeFocused()
  await field.fill(other)
  await page.keyboard.press('Enter')
  await expect(toast(page, `${other} may sign up`)).toBeVisible()
  await expect(page.getByRole('button', { name: `Manage ${name}` })).toBeFocused()
  expect((await ask()).status).toBe(200)
  expectNoComplaintsButOf(complaints, 400)
})
