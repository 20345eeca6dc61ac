import { haveAccount, test } from './guarded-product.ts'
import { callApi, expect, expectAccessible, freshAddress, PASSWORD, toast } from './product.ts'

// One product for the file.
test.describe.configure({ mode: 'default' })

test.describe('Single sign-on', () => {
  test('is a button below the first step, and signs in to an account that has no password', async ({
    page,
    issuer,
    mails,
  }) => {
    await test.step('is a button below the first step, separated by an or', async () => {
      await page.goto('/auth')
      const choice = page.getByRole('link', { name: 'Continue with Campus' })
      await expect(choice).toHaveAttribute('href', '/api/auth/sso/oidc')
      await expect(page.getByText('or', { exact: true })).toBeVisible()
      await expect(page.getByLabel('Email')).toBeFocused()
      await expectAccessible(page)
      await page.getByLabel('Email').fill(freshAddress())
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('Full Name')).toBeVisible()
      await expect(choice).toHaveCount(0)
    })
    await test.step('signs in, by keyboard alone, to an account that has no password', async () => {
      const email = freshAddress('campus')
      issuer.says({ sub: email, email, email_verified: true, name: 'Grace Hopper' })
      await page.goto('/auth')
      await expect(page.getByLabel('Email')).toBeFocused()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await expect(page.getByRole('link', { name: 'Continue with Campus' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

      await page.getByRole('link', { name: 'Grace Hopper' }).click()
      const password = page.getByRole('region', { name: 'Password', exact: true })
      await expect(password).toContainText('This account has no password. It uses single sign-on.')
      await expect(password.getByRole('textbox')).toHaveCount(0)
      await expect(page.getByRole('region', { name: 'You', exact: true })).toContainText('Confirmed')
      await expect(page.getByRole('button', { name: 'Set up' })).toHaveCount(0)
      await expectAccessible(page)
      await password.getByRole('button', { name: 'Set a password by mail' }).click()
      await expect(password).toContainText(`A link to a password is on its way to ${email}.`)
      await mails.next(email)
    })
  })

  test('shows why it refused a person, who can still sign in by password and confirm the address', {
    tag: '@slow',
  }, async ({ page, issuer, mails }) => {
    const email = await haveAccount(page, mails)
    await test.step('shows why it refused a person', async () => {
      for (const [claims, says] of [
        [{ email: 'someone@evil.com', email_verified: true }, 'That account may not join.'],
        [{ email: 'someone@mit.edu', email_verified: false }, 'That account has not confirmed its email address.'],
      ] as const) {
        issuer.says({ sub: 'someone', ...claims })
        await page.goto('/auth')
        await page.getByRole('link', { name: 'Continue with Campus' }).click()
        await expect(page.getByRole('alert')).toContainText(says)
      }
      await expectAccessible(page)
      for (const [path, says] of [
        ['/api/auth/sso/oidc/callback?code=x&state=y', 'Single sign-on failed.'],
        ['/auth?error=disabled', 'This account is disabled. Ask an administrator.'],
      ] as const) {
        await page.goto(path)
        await expect(page.getByRole('alert')).toContainText(says)
      }
      await page.goto('/auth?error=constructor')
      await expect(page.getByLabel('Email')).toBeVisible()
      await expect(page.getByRole('alert')).toHaveCount(0)
    })
    await test.step('after a refusal, sign-in by password still works, and the refusal is not shown again', async () => {
      await page.goto('/auth?error=sso_failed')
      await page.getByLabel('Email').fill(email)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/auth')
      await page.getByRole('button', { name: '← Use different email address' }).click()
      await expect(page.getByRole('alert')).toHaveCount(0)
      await page.keyboard.press('Enter')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await expect(toast(page, 'Welcome back!')).toBeVisible()
      await expect(page).toHaveURL('/')
    })
    await test.step('an unverified account can be confirmed from here', async () => {
      await page.route('**/api/account', async (route) => {
        const answer = await (await route.fetch()).json()
        await route.fulfill({ json: { ...answer, emailVerified: false } })
      })
      await page.goto('/account')
      await expect(page.getByText('Not confirmed')).toBeVisible()
      await page.getByRole('button', { name: 'Send me a link' }).click()
      await expect(page.getByText(`A link is on its way to ${email}.`)).toBeVisible()
    })
  })

  test('says that the address is linked to a different account there', async ({ page, issuer }) => {
    const claims = { email: freshAddress('campus'), email_verified: true, name: 'Grace Hopper' }
    issuer.says({ sub: `before ${claims.email}`, ...claims })
    await page.goto('/auth')
    await page.getByRole('link', { name: 'Continue with Campus' }).click()
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    // A page with a live stream would get the 401 first.
    await page.goto('about:blank')
    await callApi(page, 'POST', '/auth/logout')
    issuer.says({ sub: `after ${claims.email}`, ...claims })
    await page.goto('/auth')
    await page.getByRole('link', { name: 'Continue with Campus' }).click()
    await expect(page.getByRole('alert')).toContainText('This address was linked to a different account there.')
    await expectAccessible(page)
  })
})
