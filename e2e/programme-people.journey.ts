import type { Page } from '@playwright/test'
import { openPeopleAsManager } from './manager.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  follow,
  freshAddress,
  join,
  own,
  PASSWORD,
  test,
  toast,
} from './product.ts'

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'People' }).getByRole('listitem').filter({ hasText: name })

async function manage(page: Page, name: string, act: string) {
  await page.getByRole('button', { name: `Manage ${name}` }).press('Enter')
  const item = page.getByRole('menuitem', { name: act })
  await expect(async () => {
    await page.keyboard.press('ArrowDown')
    await expect(item).toBeFocused({ timeout: 200 })
  }).toPass()
  await page.keyboard.press('Enter')
}

async function answer(page: Page, button: string) {
  const asked = page.getByRole('dialog').getByRole('button', { name: button })
  await asked.press('Enter')
  // Its end returns the focus.
  await expect(asked).toHaveCount(0)
}

test.describe('The people of a programme', () => {
  test('are not there for a fellow, who is redirected', async ({ page }) => {
    await join(page)
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'Programme' })).toHaveCount(0)
    for (const part of ['', '/pipeline', '/privacy', '/privacy/inform', '/figures', '/history']) {
      await follow(page, `/programme${part}`)
      await expect(page).toHaveURL('/')
    }
    // Also where the page is loaded.
    await page.goto('/programme')
    await expect(page).toHaveURL('/')
  })

  test('are found, disabled, enabled, renamed, made managers and fellows again, live and by keyboard', {
    tag: '@slow',
  }, async ({ page, product, openCaller, browser }) => {
    await openPeopleAsManager(page, product)
    await test.step('are up to date without a reload when someone signs up, or takes another name', async () => {
      const name = own('Newcomer')
      await expect(row(page, 'Mira Manager').first()).toBeVisible()
      const newcomer = await openCaller()
      await join(newcomer, { name })
      await expect(row(page, name)).toBeVisible()
      const renamed = own('Renamed')
      await callApi(newcomer, 'PATCH', '/account', { name: renamed })
      await expect(row(page, renamed)).toBeVisible()
    })
    await test.step('are found, disabled, enabled, made managers and fellows again by keyboard', async () => {
      const name = own('Grace')
      const other = await browser.newContext({ baseURL: product.url })
      const email = freshAddress('grace')
      await join(other.request, { name, email })
      await page.getByLabel('Search people').fill(name)
      await expect(row(page, name)).toContainText(email)
      await expect(page.getByRole('list', { name: 'People' }).getByRole('listitem')).toHaveCount(1)
      await page.getByRole('button', { name: `Manage ${name}` }).press('Enter')
      await expect(page.getByRole('menuitem', { name: 'Disable' })).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')

      await manage(page, name, 'Disable')
      await answer(page, 'Disable')
      await expect(toast(page, `${name} is disabled`)).toBeVisible()
      await expect(row(page, name)).toContainText('Disabled')
      expect((await callApi(other.request, 'GET', '/account')).status).toBe(401)
      await manage(page, name, 'Enable')
      await expect(row(page, name)).not.toContainText('Disabled')

      await manage(page, name, 'Reset password')
      await answer(page, 'Reset')
      await expect(page.getByText('It is shown once, and sets a new password within a day.')).toBeVisible()
      await expect(page.getByText(/auth\/reset#token=/)).toBeVisible()

      await manage(page, name, 'Make manager')
      await answer(page, 'Make manager')
      await expect(row(page, name)).toContainText('Manager')
      await manage(page, name, 'Make fellow')
      await answer(page, 'Make fellow')
      await expect(row(page, name)).toContainText('Fellow')

      await expectAccessible(page)
      await expectNoSidewaysScrollAtAnyWidth(page)
      await other.close()
    })
    await test.step('are renamed and get another address by a manager, by keyboard', async () => {
      const [name, email] = [own('Ann'), freshAddress('ann')]
      await join(await openCaller(), { name, email })
      await page.getByLabel('Search people').fill(email)
      await expect(page.getByRole('list', { name: 'People' }).getByRole('listitem')).toHaveCount(1)
      await manage(page, name, 'Rename')
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
      await expectAccessible(page)
      await dialog.getByRole('textbox', { name: 'Name' }).fill(`${name} Other`)
      await page.keyboard.press('Enter')
      await expect(toast(page, `Name changed to ${name} Other`)).toBeVisible()
      await expect(row(page, `${name} Other`)).toBeVisible()
      await manage(page, `${name} Other`, 'Change address')
      await dialog.getByRole('textbox', { name: 'Email' }).fill('not an address')
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('textbox', { name: 'Email' })).toBeFocused()
      await expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveAttribute('aria-invalid', 'true')
      await expectNoSidewaysScrollAtAnyWidth(page)
      await dialog.getByRole('textbox', { name: 'Email' }).fill(`moved.${email}`)
      await page.keyboard.press('Enter')
      await expect(toast(page, `Email changed to moved.${email}`)).toBeVisible()
      await expect(row(page, `moved.${email}`)).toBeVisible()
    })
  })

  test('are invited by links that are shown once, and may sign up as managers decide', async ({
    page,
    product,
    browser,
    complaints,
  }) => {
    await openPeopleAsManager(page, product)
    await test.step('are invited by links that are shown once, and sign up with them', async () => {
      await expect(page.getByRole('link', { name: 'Programme' }).first()).toBeVisible()
      const email = freshAddress('invited')
      await page.getByLabel('Email addresses').fill(`${email}\nnot-an-address`)
      await page.getByRole('button', { name: 'Invite 2 people' }).press('Enter')
      const invited = page.getByRole('list', { name: 'Invited' }).getByRole('listitem')
      await expect(invited).toHaveCount(2)
      await expect(invited.nth(1)).toContainText('valid email')
      await expect(page.getByLabel('Email addresses')).toHaveValue('not-an-address')
      await expectAccessible(page)
      await expectNoSidewaysScrollAtAnyWidth(page)
      const link = /https?:\S+invitation=[\w-]+/.exec((await invited.first().textContent()) ?? '')?.[0] ?? ''
      const { pathname, hash } = new URL(link)
      const other = await browser.newContext()
      const guest = await other.newPage()
      await guest.goto(product.url + pathname + hash)
      await expect(guest.getByRole('heading', { level: 1 })).toBeVisible()
      await other.close()
      const withdrawn = page.getByRole('button', { name: `Withdraw the invitation of ${email}` })
      await withdrawn.press('Enter')
      await expect(toast(page, 'Invitation withdrawn')).toBeVisible()
      await expect(withdrawn).toHaveCount(0)
    })
    await test.step('may sign up as managers decide, for the domains they name', async () => {
      const form = page.getByRole('form', { name: 'Who may sign up' })
      await form.getByLabel('Domains').fill('example.com')
      await form.getByRole('button', { name: 'Save' }).press('Enter')
      await expect(form).toContainText('Enter domains that end in .edu')
      await form.getByLabel('Domains').fill('mit.edu\nyale.edu')
      await form.getByRole('button', { name: 'Save' }).press('Enter')
      await expect(toast(page, 'Saved')).toBeVisible()
      await expectAccessible(page)
      const other = await browser.newContext({ baseURL: product.url })
      await callApi(other.request, 'GET', '/auth/me')
      const check = await callApi(other.request, 'POST', '/auth/check-user', { email: 'ada@cmu.edu' })
      expect([check.status, check.body.error]).toEqual([403, expect.stringContaining('mit.edu')])
      await form.getByLabel('Domains').fill('')
      await form.getByRole('button', { name: 'Save' }).press('Enter')
      await expect(form.getByLabel('Domains')).toHaveValue('')
      await expect
        .poll(async () => (await callApi(page, 'GET', '/programme/sign-up')).body)
        .toEqual({ mode: 'open', domains: [], fixed: [] })
      expectNoComplaintsButOf(complaints, 400)
      await other.close()
    })
  })

  test('are acted on only after the password was given again, and nothing is lost meanwhile', { tag: '@slow' }, async ({
    page,
    product,
    browser,
    complaints,
  }) => {
    await openPeopleAsManager(page, product)
    const name = own('Alan')
    const other = await browser.newContext({ baseURL: product.url })
    await join(other.request, { name })
    await page.getByLabel('Search people').fill(name)
    let isAsked = false
    await page.route('**/api/programme/people/*/make-manager', async (route) => {
      if (isAsked) return route.continue()
      isAsked = true
      await route.fulfill({ status: 403, json: { error: 'Confirm that it is you, then try again', code: 'confirm' } })
    })
    await manage(page, name, 'Make manager')
    await answer(page, 'Make manager')
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    const password = dialog.getByLabel('Password', { exact: true })
    await expect(password).toBeFocused()
    await expectAccessible(page)
    await password.fill('not the password')
    await password.press('Enter')
    await expect(dialog).toContainText('This is not your password')
    await password.fill(PASSWORD)
    await password.press('Enter')
    await expect(toast(page, `${name} is a manager`)).toBeVisible()
    await expect(row(page, name)).toContainText('Manager')
    expectNoComplaintsButOf(complaints, 400, 403)
    await other.close()
  })
})
