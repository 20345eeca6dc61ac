import { emailField, goOnWith, knownAddress, passwordField } from './auth-screen.ts'
import {
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  failWith,
  freshAddress,
  hold,
  PASSWORD,
  startProduct,
  test,
  toast,
} from './product.ts'

test.describe('Step email', () => {
  test('is there immediately, and does not slide in', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.addInitScript(() => {
      addEventListener('animationstart', ({ target }) => {
        if ((target as Element).closest('form')) document.documentElement.setAttribute('data-animated', '')
      })
    })
    await page.goto('/auth')
    await expect(emailField(page)).toBeFocused()
    await page.waitForTimeout(300)
    await expect(page.locator('html')).not.toHaveAttribute('data-animated')
    await emailField(page).fill(freshAddress())
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Full Name')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-animated')
  })

  test('shows the team domain that the operator set; step signup shows the programme', { tag: '@slow' }, async ({
    browser,
  }) => {
    const other = await startProduct({ TEAM_DOMAIN: 'firm.example', PROGRAMME_NAME: 'Scouts & Co' })
    const page = await browser.newPage({ baseURL: other.url })
    await goOnWith(page, 'ada@firm.example')
    await expect(page.getByRole('button', { name: 'Join Scouts & Co' })).toBeVisible()
    await expect(page.getByText('Team members (firm.example)')).toBeVisible()
    await page.getByRole('button', { name: 'Change' }).click()
    await expect(page.getByText('Use your .edu or firm.example email address')).toBeVisible()
    await page.close()
    await other.stop()
  })

  test('checks the address, and keeps one that is no address or may not join, with the reason', async ({
    page,
    complaints,
  }) => {
    await test.step('has an e-mail field with the hint and the button Continue to Platform; refuses a value that is not an address', async () => {
      await page.goto('/auth')
      await expect(emailField(page)).toBeFocused()
      await expect(emailField(page)).toHaveAttribute('type', 'email')
      await expect(page.getByText('Use your .edu or example.com email address')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Continue to Platform' })).toBeEnabled()
      await expect(emailField(page)).toHaveAttribute('required', '')
      await page.getByRole('button', { name: 'Continue to Platform' }).click()
      await expect(page.getByText('Email is required')).toBeVisible()
      await emailField(page).fill('mit.edu')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Enter a valid email address')).toBeVisible()
      await expect(emailField(page)).toBeFocused()
    })
    await test.step('refuses an address that may not join, with the reason, and keeps it; a failed check says Error checking email', async () => {
      await emailField(page).fill('someone@evil.com')
      await page.keyboard.press('Enter')
      await expect(emailField(page)).toHaveAccessibleDescription(
        /Use an educational \(\.edu\) address or one at example\.com to join/,
      )
      await expect(emailField(page)).toHaveValue('someone@evil.com')
      await failWith(page, '/auth/check-user', 500, {})
      await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled()
      await page.keyboard.press('Enter')
      await expect(toast(page, 'Error checking email')).toBeVisible()
      await expect(emailField(page)).toHaveValue('someone@evil.com')
      // A 401 on an auth path does not redirect either.
      await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled()
      await failWith(page, '/auth/check-user', 401, {})
      await page.keyboard.press('Enter')
      await expect(toast(page, 'Error checking email')).toHaveCount(2)
      await expect(page).toHaveURL('/auth')
      await expect(emailField(page)).toHaveValue('someone@evil.com')
      expectNoComplaintsButOf(complaints, 401, 403, 500)
      await page.unroute('**/api/auth/check-user')
    })
    await test.step('reads Verifying... while it checks; a new address goes to signup, with the toast Create your account', async () => {
      const release = await hold(page, '/auth/check-user')
      await emailField(page).fill(freshAddress())
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: 'Verifying...' })).toBeDisabled()
      release()
      await expect(toast(page, 'Create your account')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Join Venture Fellows' })).toBeVisible()
    })
  })
})

test.describe('Step login', () => {
  test.use({ setsClock: true })

  test('leads back to the address, keeps what is typed when it is refused, and then to the dashboard', async ({
    page,
    complaints,
  }) => {
    const email = await knownAddress(page)
    await page.clock.install()
    await test.step('says Please enter your password, with the e-mail read-only and Access Platform; Change and ← return to step email', async () => {
      await goOnWith(page, email)
      await expect(toast(page, 'Please enter your password')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Access Platform' })).toBeVisible()
      await expect(emailField(page)).toHaveValue(email)
      await expect(emailField(page)).toHaveAttribute('readonly', '')
      await expect(passwordField(page)).toBeFocused()
      await expect(passwordField(page)).toHaveAttribute('autocomplete', 'current-password')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Change' }).click()
      await expect(emailField(page)).not.toHaveAttribute('readonly')
      await expect(emailField(page)).toHaveValue(email)
      await page.keyboard.press('Enter')
      await passwordField(page).fill(PASSWORD)
      await page.getByRole('button', { name: '← Use different email address' }).click()
      await expect(emailField(page)).toHaveValue(email)
      await page.getByRole('button', { name: 'Continue to Platform' }).click()
      await expect(passwordField(page)).toHaveValue('')
    })
    await test.step('a short password and a wrong one are reported at the field, a failure in a toast, and the typed text stays', async () => {
      await passwordField(page).fill('12345')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible()
      await passwordField(page).fill('not the password')
      await page.keyboard.press('Enter')
      await expect(passwordField(page)).toHaveAccessibleDescription('The email address or the password is wrong')
      await expect(passwordField(page)).toBeFocused()
      // Longer than any toast.
      await page.clock.runFor(4500)
      await expect(page.getByText('The email address or the password is wrong')).toBeVisible()
      await expect(page).toHaveURL('/auth')
      await expect(passwordField(page)).toHaveValue('not the password')
      await failWith(page, '/auth/smart-auth', 500, {})
      await page.keyboard.press('Enter')
      await expect(toast(page, 'Authentication failed')).toBeVisible()
      await expect(passwordField(page)).toHaveValue('not the password')
      await page.unroute('**/api/auth/smart-auth')
      expectNoComplaintsButOf(complaints, 401, 500)
    })
    await test.step('while busy reads Signing in..., then goes to / after 500 ms', async () => {
      const release = await hold(page, '/auth/smart-auth')
      await passwordField(page).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled()
      release()
      await expect(toast(page, 'Welcome back!')).toBeVisible()
      await expect(page).toHaveURL('/')
    })
  })
})

test.describe('Step signup', () => {
  test('explains who may join, says what is missing, and creates the account', async ({ page, complaints }) => {
    await test.step('the action signup_required switches to signup with Please create an account first', async () => {
      await page.route('**/api/auth/check-user', (route) => route.fulfill({ json: { exists: true, action: 'login' } }))
      await goOnWith(page, freshAddress())
      await passwordField(page).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await expect(toast(page, 'Please create an account first')).toBeVisible()
      await expect(page.getByLabel('Full Name')).toBeVisible()
      await expect(passwordField(page)).toHaveValue(PASSWORD)
      await page.unroute('**/api/auth/check-user')
      expectNoComplaintsButOf(complaints, 404)
      await page.getByRole('button', { name: 'Change' }).click()
    })
    await test.step('has Full Name, a password with its placeholder, the join button and the panel; ← clears both', async () => {
      await emailField(page).fill(freshAddress())
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('Full Name')).toBeFocused()
      await expect(page.getByPlaceholder('Create secure password (6+ characters)')).toBeVisible()
      await expect(passwordField(page)).toHaveAttribute('autocomplete', 'new-password')
      await expect(page.getByRole('button', { name: 'Join Venture Fellows' })).toBeVisible()
      const panel = page.getByRole('region', { name: 'Verified Access Required' })
      await expect(panel).toContainText('Educational institutions (.edu)')
      await expect(panel).toContainText('Team members (example.com)')
      await expectAccessible(page)
      await page.getByLabel('Full Name').fill('Ada')
      await passwordField(page).fill(PASSWORD)
      await page.getByRole('button', { name: '← Use different email address' }).click()
      await expect(page.getByRole('button', { name: 'Continue to Platform' })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('Full Name')).toHaveValue('')
      await expect(passwordField(page)).toHaveValue('')
    })
    await test.step('a blank name says Name is required, a short password its rule, both in red, and nothing typed is lost', async () => {
      await page.getByLabel('Full Name').fill('   ')
      await passwordField(page).fill('12345')
      await page.getByRole('button', { name: 'Join Venture Fellows' }).click()
      await expect(page.getByText('Name is required')).toBeVisible()
      await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible()
      await expect(page.getByLabel('Full Name')).toBeFocused()
      const red = await page.getByText('Name is required').evaluate((sentence) => getComputedStyle(sentence).color)
      const fields = page.locator(
        'form .mantine-Input-input:has(input:not([readonly])), form input.mantine-Input-input:not([readonly])',
      )
      await expect(fields).toHaveCount(2)
      for (const field of await fields.all()) await expect(field).toHaveCSS('border-top-color', red)
      await expect(passwordField(page)).toHaveValue('12345')
      const release = await hold(page, '/auth/smart-auth')
      await page.getByLabel('Full Name').fill('Ada')
      await passwordField(page).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeDisabled()
      release()
      await expect(toast(page, 'Account created successfully!')).toBeVisible()
      await expect(page).toHaveURL('/')
    })
  })
})

test.describe('Without mail and single sign-on', () => {
  test('offers no other way to sign in; /auth/reset says who can set a new password', async ({ page }) => {
    await page.goto('/auth')
    await expect(page.getByRole('button')).toHaveText(['Continue to Platform'])
    await expect(page.getByRole('main').getByRole('link')).toHaveCount(0)
    await goOnWith(page, await knownAddress(page))
    await expect(page.getByRole('button', { name: 'Access Platform' })).toBeVisible()
    await expect(page.getByRole('button', { name: /Forgot/ })).toHaveCount(0)
    await expect(page.getByText('Forgot your password? Ask a manager for a link')).toBeVisible()
    await page.goto('/auth/reset')
    await expect(
      page.getByText('No mail is set up here. Ask a manager for a link to choose a new password.'),
    ).toBeVisible()
    await expect(page.getByRole('textbox')).toHaveCount(0)
    await page.getByRole('link', { name: 'Back to sign-in' }).click()
    await expect(page).toHaveURL('/auth')
  })
})
