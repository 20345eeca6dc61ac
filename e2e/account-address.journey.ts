import type { Page } from '@playwright/test'
import { tokenIn } from '#server/test/mail-server.ts'
import { haveAccount, test } from './guarded-product.ts'
import { operate } from './operator.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  freshAddress,
  own,
  PASSWORD,
  toast,
} from './product.ts'

const you = (page: Page) => page.getByRole('region', { name: 'You', exact: true })

/** Signs in without the screens. */
async function enter(page: Page, email: string) {
  await callApi(page, 'GET', '/auth/me')
  expect((await callApi(page, 'POST', '/auth/login', { email, password: PASSWORD })).status).toBe(200)
}

// One product for the file.
test.describe.configure({ mode: 'default' })

test.describe('The address of an account', () => {
  test('moves by the link of a mail, by keyboard; drafts and the page stay', async ({ page, mails, complaints }) => {
    const email = await haveAccount(page, mails)
    await enter(page, email)
    await page.goto('/account')
    await you(page).getByRole('button', { name: 'Change your address' }).press('Enter')
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('textbox', { name: 'New email' })
    await expect(field).toBeFocused()
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    await field.fill('graduate@elsewhere.org')
    await page.keyboard.press('Enter')
    await expect(toast(page, 'to join')).toBeVisible()
    expectNoComplaintsButOf(complaints, 403)
    const moved = freshAddress('graduate')
    await field.fill(moved)
    await page.keyboard.press('Enter')
    await expect(you(page)).toContainText(`A link is on its way to ${moved}.`)
    await expect(you(page)).toContainText(email)
    await expect(you(page).getByRole('button', { name: 'Change your address' })).toBeFocused()
    expect((await mails.next(email, 1)).text).toContain(moved)

    await page.goto('/founders/add')
    const name = own('Draft')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.goto(`/auth/address#token=${tokenIn(await mails.next(moved))}`)
    await expect(page).toHaveURL('/auth/address')
    await expect(page.getByRole('heading', { name: 'Confirm your new address' })).toBeFocused()
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    expect((await callApi(page, 'GET', '/auth/me')).body.user.email).toBe(email)
    await page.getByRole('button', { name: 'Move my account' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Your account has a new address' })).toBeFocused()
    await page.getByRole('link', { name: 'Go to the dashboard' }).press('Enter')
    await expect(page.getByText(`You were adding ${name}`)).toBeVisible()
    await page.goto('/account')
    await expect(you(page)).toContainText(moved)
  })

  test('moves only where the account is signed in', async ({ page, mails, complaints }) => {
    const email = await haveAccount(page, mails)
    await enter(page, email)
    const moved = freshAddress('graduate')
    expect((await callApi(page, 'POST', '/account/address', { email: moved })).status).toBe(204)
    const token = tokenIn(await mails.next(moved))
    await callApi(page, 'POST', '/auth/logout')
    await page.goto(`/auth/address#token=${token}`)
    await expect(page.getByRole('heading', { name: 'Sign in first' })).toBeFocused()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Sign in' }).press('Enter')
    await page.getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Confirm your new address' })).toBeFocused()
    await page.getByRole('button', { name: 'Move my account' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Your account has a new address' })).toBeFocused()
    expectNoComplaintsButOf(complaints, 401)
  })

  test('is changed by others only with a notice, which stays until it is read', async ({ page, product, mails }) => {
    const email = await haveAccount(page, mails)
    const moved = freshAddress('operator')
    await operate(product, 'accounts', 'change-address', email, moved)
    await enter(page, moved)
    await page.goto('/')
    const notice = page.getByRole('region', { name: 'Changes to your account' })
    await expect(notice).toContainText('The operator changed your address')
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    await page.reload()
    await notice.getByRole('button', { name: 'OK' }).press('Enter')
    await expect(notice).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await expect(notice).toHaveCount(0)
  })
})

test('A manager without a password confirms by single sign-on in a window of its own, and the act goes on', {
  tag: '@slow',
}, async ({ page, product, issuer, complaints }) => {
  const email = freshAddress('campus')
  issuer.says({ sub: email, email, email_verified: true, name: 'Grace Hopper' })
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Continue with Campus' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await operate(product, 'accounts', 'make-manager', email)
  await page.goto('/programme')
  let isAsked = false
  await page.route('**/api/programme/sign-up', async (route) => {
    if (isAsked || route.request().method() === 'GET') return route.continue()
    isAsked = true
    await route.fulfill({ status: 403, json: { error: 'Confirm that it is you, then try again', code: 'confirm' } })
  })
  await page.getByRole('form', { name: 'Who may sign up' }).getByRole('button', { name: 'Save' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const button = dialog.getByRole('button', { name: 'Continue with Campus' })
  await expect(button).toBeFocused()
  await expectAccessible(page)
  const window = page.context().waitForEvent('page')
  await page.keyboard.press('Enter')
  await window
  await expect(dialog).toHaveCount(0)
  await expect(toast(page, 'Saved')).toBeVisible()
  expectNoComplaintsButOf(complaints, 403)
})
