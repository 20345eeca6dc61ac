import { tokenIn } from '#server/test/mail-server.ts'
import { emailField, goOnWith, heading, newPasswordField, passwordField, press } from './auth-screen.ts'
import { haveAccount, test } from './guarded-product.ts'
import { callApi, expect, expectAccessible, expectNoComplaintsButOf, freshAddress, PASSWORD, toast } from './product.ts'

const NEW_PASSWORD = 'another long enough password'

// One product for the file.
test.describe.configure({ mode: 'default' })

test.describe('A forgotten password', () => {
  test('is replaced by a link, and every session ends', async ({ page, mails, openCaller }) => {
    const email = await haveAccount(page, mails)
    const elsewhere = await openCaller()
    await callApi(elsewhere, 'GET', '/auth/me')
    await callApi(elsewhere, 'POST', '/auth/login', { email, password: PASSWORD })
    expect((await callApi(elsewhere, 'GET', '/auth/me')).body.user.email).toBe(email)

    await goOnWith(page, email)
    await press(page, 'Forgot your password?')
    await expect(
      page.getByText('If this address has an account, a link to a new password is on its way.'),
    ).toBeVisible()
    await expectAccessible(page)

    await page.goto(`/auth/reset#token=${tokenIn(await mails.next(email, 1))}`)
    await expect(page).toHaveURL('/auth/reset')
    await expect(newPasswordField(page)).toBeFocused()
    await expect(newPasswordField(page)).toHaveAttribute('autocomplete', 'new-password')
    await expectAccessible(page)
    await page.keyboard.type(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Your new password is saved. Sign in with it.')).toBeVisible()
    await expect(page).toHaveURL('/auth')
    expect((await callApi(elsewhere, 'GET', '/auth/me')).status).toBe(401)

    await goOnWith(page, email)
    await passwordField(page).fill(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Dashboard')).toBeVisible()
  })

  test('gets the same response for an unknown address', async ({ page, mails }) => {
    const email = freshAddress('unknown')
    await page.goto('/auth/reset')
    await expect(page.getByText('We will send you a link by mail.')).toBeVisible()
    await expectAccessible(page)
    await emailField(page).fill(email)
    await page.keyboard.press('Enter')
    await expect(
      page.getByText('If this address has an account, a link to a new password is on its way.'),
    ).toBeVisible()
    expect(mails.to(email)).toEqual([])
  })

  test('a refused password and a used link are reported, with what to do', async ({ page, mails, complaints }) => {
    await test.step('a used link is reported, and a new one can be requested', async () => {
      const email = await haveAccount(page, mails)
      await page.goto('/auth/reset#token=nonsense')
      await newPasswordField(page).fill(NEW_PASSWORD)
      await press(page, 'Save password')
      await expect(heading(page, 'This link does not work')).toBeFocused()
      await expect(page.getByText('This link has been used or has expired. Ask for a new one.')).toBeVisible()
      await expectAccessible(page)
      await emailField(page).fill(email)
      await press(page, 'Send a link')
      await mails.next(email, 1)
      expectNoComplaintsButOf(complaints, 400)
    })
    await test.step('a refused password is reported at its field, with the reason, and stays', async () => {
      const email = await haveAccount(page, mails)
      await callApi(page, 'POST', '/auth/reset', { email })
      await page.goto(`/auth/reset#token=${tokenIn(await mails.next(email, 1))}`)
      await newPasswordField(page).fill('12345')
      await press(page, 'Save password')
      await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible()
      await newPasswordField(page).fill('letmein')
      await press(page, 'Save password')
      await expect(page.getByText('This password is too common. Choose another.')).toBeVisible()
      await expect(newPasswordField(page)).toHaveValue('letmein')
      await expect(newPasswordField(page)).toBeFocused()
      expectNoComplaintsButOf(complaints, 400)
    })
  })
})
