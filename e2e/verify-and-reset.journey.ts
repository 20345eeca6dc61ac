import type { Page } from '@playwright/test'
import { tokenIn } from '#server/test/mail-server.ts'
import { emailField, goOnWith, heading, newPasswordField, passwordField, press } from './auth-screen.ts'
import { test } from './guarded-product.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  failWith,
  freshAddress,
  PASSWORD,
  toast,
} from './product.ts'

const NEW_PASSWORD = 'another long enough password'

const confirmButton = (page: Page) => page.getByRole('button', { name: 'Confirm this address' })

/** Signs up without opening the mail. */
const signUpTo = async (page: Page, email: string) => {
  await goOnWith(page, email)
  await page.getByLabel('Full Name').fill('Ada Lovelace')
  await passwordField(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Check your mail')).toBeVisible()
}

// One product for the file.
test.describe.configure({ mode: 'default' })

test.describe('Step check your mail', () => {
  test('follows a sign-up, sends the link again, and has a way back', async ({ page, mails, complaints }) => {
    await test.step('reports that no mail could be sent; Send again sends one and confirms it, or shows how long to wait', async () => {
      const email = freshAddress()
      mails.be('refusing')
      await signUpTo(page, email)
      await expect(page.getByText('We could not send the mail. Request it again in a few minutes.')).toBeVisible()
      mails.be('taking')
      await press(page, 'Send again')
      await expect(page.getByText('A new link is on its way.')).toBeVisible()
      await mails.next(email)
      await page.route('**/api/auth/verify/resend', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '2' },
          json: { error: 'Too many attempts. Try again in 2 seconds.' },
        }),
      )
      await press(page, 'Send again')
      await expect(page.getByText('Too many attempts. Try again in 2 seconds.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Send again' })).toBeDisabled()
      await expect(page.getByRole('button', { name: 'Send again' })).toBeEnabled()
      expectNoComplaintsButOf(complaints, 429)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('follows a sign-up, and a sign-in before the address is confirmed, and has a way back', async () => {
      const email = freshAddress()
      await signUpTo(page, email)
      await expect(heading(page, 'Check your mail')).toBeFocused()
      await expect(page.getByText(email)).toBeVisible()
      await expect(page.getByText('Open the link that we sent you')).toBeVisible()
      await expectAccessible(page)
      await press(page, 'I have opened the link')
      await expect(passwordField(page)).toHaveValue(PASSWORD)
      await press(page, 'Access Platform')
      await expect(page.getByText('Confirm your email address first. We have sent you a link.')).toBeVisible()
      await press(page, '← Use different email address')
      await expect(emailField(page)).toHaveValue(email)
      await expect(emailField(page)).toBeFocused()
      expectNoComplaintsButOf(complaints, 403)
    })
  })
})

test.describe('The link that confirms an address', () => {
  test('confirms the address by a click in the browser of the sign-up, and sign-in continues with the address', async ({
    page,
    mails,
  }) => {
    const email = freshAddress()
    await signUpTo(page, email)
    const link = await page.context().newPage()
    await link.goto(`/auth/verify#token=${tokenIn(await mails.next(email))}`)
    await expect(heading(link, 'Confirm your address')).toBeFocused()
    await expectAccessible(link)
    await link.keyboard.press('Tab')
    await expect(confirmButton(link)).toBeFocused()
    await link.keyboard.press('Enter')
    await expect(heading(link, 'Your address is confirmed')).toBeFocused()
    await expectAccessible(link)
    await link.getByRole('link', { name: 'Sign in' }).click()
    await expect(emailField(link)).toHaveValue(email)
    await link.close()
    await press(page, 'I have opened the link')
    await press(page, 'Access Platform')
    await expect(toast(page, 'Welcome back!')).toBeVisible()
    await expect(heading(page, 'Dashboard')).toBeVisible()
  })

  test('confirms nothing when it is only opened; no request has it in its URL, and a failed one can be repeated', async ({
    page,
    mails,
    complaints,
  }) => {
    const email = freshAddress()
    await signUpTo(page, email)
    const token = tokenIn(await mails.next(email))
    const calls: string[] = []
    page.on('request', (request) => {
      calls.push(`${request.method()} ${request.url()} ${request.headers().referer}`)
    })
    await page.goto(`/auth/verify#token=${token}`)
    await expect(confirmButton(page)).toBeVisible()
    await expect(page).toHaveURL('/auth/verify')
    await page.waitForLoadState('networkidle')
    expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([])
    expect((await callApi(page, 'POST', '/auth/login', { email, password: PASSWORD })).status).toBe(403)

    await failWith(page, '/auth/verify', 503, {})
    await confirmButton(page).click()
    await expect(heading(page, 'Your address is not confirmed yet')).toBeFocused()
    await page.unroute('**/api/auth/verify')
    await press(page, 'Try again')
    await expect(heading(page, 'Your address is confirmed')).toBeVisible()
    expect(calls.length).toBeGreaterThan(1)
    expect(calls.filter((call) => call.includes(token))).toEqual([])
    await page.goBack()
    await page.goForward()
    await expect(page).toHaveURL('/auth/verify')
    expectNoComplaintsButOf(complaints, 403, 503)
  })

  test('lets the owner of the address choose a password, and locks out the stranger who signed up with it', async ({
    page: stranger,
    browser,
    product,
    mails,
    complaints,
  }) => {
    const email = freshAddress('partner')
    await signUpTo(stranger, email)
    const context = await browser.newContext({ baseURL: product.url })
    const owner = await context.newPage()
    await owner.goto(`/auth/verify#token=${tokenIn(await mails.next(email))}`)
    await confirmButton(owner).focus()
    await owner.keyboard.press('Enter')
    await expect(newPasswordField(owner)).toBeFocused()
    await expect(owner.getByText('To confirm that the address is yours, choose a new password.')).toBeVisible()
    await expectAccessible(owner)

    await press(stranger, 'I have opened the link')
    await press(stranger, 'Access Platform')
    await expect(stranger.getByText('Confirm your email address first')).toBeVisible()
    expectNoComplaintsButOf(complaints, 403)

    await owner.keyboard.type(NEW_PASSWORD)
    await owner.keyboard.press('Enter')
    await expect(toast(owner, 'Your address is confirmed. Sign in with your new password.')).toBeVisible()
    await expect(owner).toHaveURL('/auth')
    await goOnWith(owner, email)
    await passwordField(owner).fill(NEW_PASSWORD)
    await owner.keyboard.press('Enter')
    await expect(heading(owner, 'Dashboard')).toBeVisible()
    await context.close()

    await press(stranger, 'I have opened the link')
    await press(stranger, 'Access Platform')
    await expect(stranger.getByText('The email address or the password is wrong')).toBeVisible()
    expectNoComplaintsButOf(complaints, 401)
  })

  test('reports that it is incomplete or was used; a new one can be requested, and a session leads to the dashboard', async ({
    page,
    mails,
    complaints,
  }) => {
    const email = freshAddress()
    await page.goto('/auth/verify')
    await expect(page.getByText('This link is incomplete.')).toBeVisible()
    await press(page, 'Send a link')
    await expect(page.getByText('Email is required')).toBeVisible()
    await expect(emailField(page)).toBeFocused()

    await signUpTo(page, email)
    await page.goto('/auth/verify#token=nonsense')
    await confirmButton(page).click()
    await expect(page.getByText('This link has been used or has expired. Ask for a new one.')).toBeVisible()
    await expectAccessible(page)
    await expect(emailField(page)).toHaveValue(email)
    await press(page, 'Send a link')
    await expect(page.getByText('If this address has an unconfirmed account')).toBeVisible()
    const token = tokenIn(await mails.next(email, 1))
    await page.goto(`/auth/verify#token=${token}`)
    await confirmButton(page).click()
    await expect(heading(page, 'Your address is confirmed')).toBeVisible()

    await page.goto('about:blank')
    await callApi(page, 'POST', '/auth/login', { email, password: PASSWORD })
    await page.goto(`/auth/verify#token=${token}`)
    await confirmButton(page).click()
    await expect(heading(page, 'This link does not work')).toBeVisible()
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await expect(page).toHaveURL('/')
    expectNoComplaintsButOf(complaints, 400)
  })
})

test('None of these screens scrolls sideways at any width', async ({ page, complaints }) => {
  await signUpTo(page, freshAddress('a.rather.long.name.of.a.person'))
  await expectNoSidewaysScrollAtAnyWidth(page)
  // Two addresses in a row must not differ only in the fragment: the browser would not navigate.
  for (const path of ['/auth/reset', '/auth/verify#token=nonsense', '/auth/reset#token=nonsense']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
    await expectNoSidewaysScrollAtAnyWidth(page)
  }
  expectNoComplaintsButOf(complaints, 400)
})
