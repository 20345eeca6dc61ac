import type { APIRequestContext, Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  failWith,
  hold,
  join,
  PASSWORD,
  test,
  toast,
  visit,
} from './product.ts'
import { walk } from './walk.ts'

const NEW_PASSWORD = 'another long enough password'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const sessions = (page: Page) => region(page, 'Where you are signed in')
const current = (page: Page) => page.getByLabel('Current password')
const chosen = (page: Page) => page.getByLabel('New password')

/** Signs in to the same account from another device. */
const signInFrom = async (device: APIRequestContext, email: string) => {
  await callApi(device, 'GET', '/auth/me')
  expect((await callApi(device, 'POST', '/auth/login', { email, password: PASSWORD })).status).toBe(200)
  return device
}

const isSignedIn = async (device: APIRequestContext) => (await callApi(device, 'GET', '/auth/me')).status === 200

test.describe('The account', () => {
  test('shows who one is and where one is signed in, and a new name everywhere', { tag: '@slow' }, async ({
    page,
    complaints,
  }) => {
    const { email } = await join(page, { name: 'Ada Lovelace' })
    await test.step('shows placeholders while it loads, and offers to try again when loading fails', async () => {
      const release = await hold(page, '/account', { status: 500, json: { error: 'The cellar is under water.' } })
      await visit(page, '/account')
      await expect(page.getByRole('status').getByText('Loading')).toBeAttached()
      release()
      await expect(page.getByRole('heading', { name: 'Your account could not be loaded' })).toBeVisible()
      await expect(page.getByRole('alert')).toContainText('The cellar is under water.')
      await expect(toast(page, 'Failed to load your account'), 'said once').toHaveCount(0)
      await expectAccessible(page)
      await page.unroute('**/api/account')
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(region(page, 'You')).toBeVisible()
      expectNoComplaintsButOf(complaints, 500)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('shows name and e-mail, one session, and without mail no e-mail verification', async () => {
      await visit(page, '/account')
      await expect(page.getByLabel('Full name')).toHaveValue('Ada Lovelace')
      await expect(region(page, 'You')).toContainText(email)
      await expect(page.getByText('Not confirmed')).toHaveCount(0)
      await expect(sessions(page).getByRole('listitem')).toHaveText([/This device/])
      await expect(sessions(page)).toContainText('You are signed in nowhere else.')
      await expect(sessions(page).getByRole('button')).toHaveCount(0)
    })
    await test.step('the name in the top bar links to the account; a new name is shown immediately in the top bar and on cards', async () => {
      await callApi(page, 'POST', '/companies', { name: 'Engines', notes: 'Met.' })
      await visit(page, '/companies')
      await expect(page.getByRole('article', { name: 'Engines' })).toContainText('Ada Lovelace')
      const { press, fill, expectActs } = walk(page)
      await press('link', /Ada Lovelace/, page.getByRole('banner'))
      await expect(page).toHaveURL('/account')
      await expect(page).toHaveTitle('Account · Sourcebook')
      const name = page.getByLabel('Full name')
      await name.fill(' ')
      await page.keyboard.press('Enter')
      await expect(name).toHaveAccessibleDescription(/Name is required/)
      await fill('Full name', ' Ada King ')
      await press('button', 'Save name')
      expectActs(3)
      await expect(toast(page, 'Name changed')).toBeVisible()
      await expect(name).toHaveValue('Ada King')
      await expect(page.getByRole('banner')).toContainText('Ada King')
      await page.goBack()
      await expect(page.getByRole('article', { name: 'Engines' })).toContainText('Ada King')
      await expect(page.getByRole('article', { name: 'Engines' })).not.toContainText('Ada Lovelace')
    })
    await test.step('On a phone, the menu of the avatar links to the account', async () => {
      await page.setViewportSize({ width: 390, height: 800 })

      await visit(page, '/')
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('link', { name: 'Account' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Account' })).toBeHidden()
    })
  })
})

test.describe('Changing the password', () => {
  test('reports a refused password at its field, keeps this session, ends all others, and confirms it', async ({
    page,
    complaints,
    openCaller,
  }) => {
    const { email } = await join(page)
    await test.step('a refused password is reported at its field, any other failure in a toast, and the typed text stays', async () => {
      await visit(page, '/account')
      await current(page).fill('not the password')
      await chosen(page).fill(NEW_PASSWORD)
      await failWith(page, '/account/password', 500, {})
      await page.keyboard.press('Enter')
      await expect(toast(page, 'Failed to change the password')).toBeVisible()
      await page.unroute('**/api/account/password')
      await page.keyboard.press('Enter')
      await expect(current(page)).toHaveAccessibleDescription(/This is not your password/)
      await expect(current(page)).toBeFocused()
      await expect(current(page)).toHaveValue('not the password')
      await expect(chosen(page)).toHaveValue(NEW_PASSWORD)
      await expectAccessible(page)
      expectNoComplaintsButOf(complaints, 400, 500)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('keeps this session, ends all others, and confirms it', async () => {
      const other = await signInFrom(await openCaller({ userAgent: FIREFOX }), email)
      const stream = page.waitForResponse('**/api/events?*')
      await page.goto('/account')
      await expect(sessions(page).getByText('Firefox on Windows')).toBeVisible()
      await stream
      const nextStream = page.waitForResponse('**/api/events?*')
      await expect(current(page)).toHaveAttribute('autocomplete', 'current-password')
      // Hidden from people, but some checkers of accessibility want a name.
      await expect(page.locator('input[autocomplete=username]')).toHaveAttribute('aria-label', 'Email')
      await expect(chosen(page)).toHaveAttribute('autocomplete', 'new-password')
      await current(page).fill(PASSWORD)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.type(NEW_PASSWORD)
      await page.keyboard.press('Enter')
      await expect(toast(page, 'Password changed. You are signed out everywhere else.')).toBeVisible()
      await expect(current(page)).toHaveValue('')
      await expect(sessions(page)).toContainText('You are signed in nowhere else.')
      expect(await isSignedIn(other)).toBe(false)

      // The page still works, live updates included.
      await nextStream
      await page.getByRole('link', { name: 'Search Founders' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Search Founders' })).toBeVisible()
      await expect(page).toHaveURL('/founders')
    })
  })
})

test.describe('The list of sessions', () => {
  test('ends a session, all others, and this one', async ({ page, openCaller, complaints }) => {
    const { email } = await join(page)
    await test.step('ends a session after a confirmation, then all others; one that has already ended just leaves it', async () => {
      const firefox = await signInFrom(await openCaller({ userAgent: FIREFOX }), email)
      const iphone = await signInFrom(await openCaller({ userAgent: IPHONE }), email)
      await visit(page, '/account')
      const rows = sessions(page).getByRole('listitem')
      const question = page.getByRole('dialog', { name: /^Sign out/ })
      const signOut = (where: string) => page.getByRole('button', { name: `Sign out ${where}` }).click()
      await expect(rows.filter({ hasText: 'Firefox on Windows' })).toContainText('127.0.0.1 · last used just now')
      await signOut('Firefox on Windows')
      await expect(question).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(question).toHaveCount(0)
      expect(await isSignedIn(firefox)).toBe(true)

      await signOut('Firefox on Windows')
      await question.getByRole('button', { name: 'Sign out' }).click()
      await expect(toast(page, 'Signed out Firefox on Windows')).toBeVisible()
      await expect(rows).toHaveText([/This device/, /Safari on iPhone/])
      await expect(sessions(page).getByRole('list')).toBeFocused()
      expect(await isSignedIn(firefox)).toBe(false)
      expect(await isSignedIn(iphone)).toBe(true)

      const other = await signInFrom(await openCaller({ userAgent: FIREFOX }), email)
      await signOut('Safari on iPhone')
      await callApi(iphone, 'POST', '/auth/logout')
      await question.getByRole('button', { name: 'Sign out' }).click()
      await expect(toast(page, 'There is no such session')).toBeVisible()
      await expect(rows).toHaveText([/This device/, /Firefox on Windows/])
      expectNoComplaintsButOf(complaints, 404)

      await signOut('everywhere else')
      await question.getByRole('button', { name: 'Sign out' }).click()
      await expect(toast(page, 'Signed out everywhere else')).toBeVisible()
      await expect(sessions(page)).toContainText('You are signed in nowhere else.')
      await expect(sessions(page).getByRole('list')).toBeFocused()
      expect(await isSignedIn(other)).toBe(false)
    })
    await test.step('ending this session from another device sends this browser to /auth, and back here after sign-in', async () => {
      await visit(page, '/account')
      await expect(sessions(page)).toBeVisible()
      const other = await signInFrom(await openCaller({ userAgent: FIREFOX }), email)
      await callApi(other, 'DELETE', '/account/sessions')
      await expect(toast(page, 'Authentication required. Please log in.')).toBeVisible()
      await expect(page).toHaveURL('/auth')
      expectNoComplaintsButOf(complaints, 401)
      await page.getByLabel('Email').fill(email)
      await page.keyboard.press('Enter')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/account')
    })
  })
})
