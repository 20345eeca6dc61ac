import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectNoComplaintsButOf,
  freshAddress,
  holdLiveStream,
  join,
  keptIn,
  PASSWORD,
  test,
  toast,
} from './product.ts'

const nameField = (page: Page) => page.getByLabel('Name', { exact: true })

/** Types into a form and waits until its draft is stored. */
const type = async (page: Page) => {
  await page.goto('/founders/add')
  // The search for similar records must not be the first call that gets a 401.
  const searched = page.waitForResponse(/similar/)
  await nameField(page).fill('Typed by Ada')
  await searched
  expect(await keptIn(page)).toHaveLength(1)
}

/** Opens the form again with this account, and expects it empty. */
const expectNothingTyped = async (page: Page, email: string) => {
  await callApi(page, 'GET', '/auth/me')
  expect((await callApi(page, 'POST', '/auth/login', { email, password: PASSWORD })).status).toBe(200)
  await page.goto('/founders/add')
  await expect(nameField(page)).toHaveValue('')
  expect(await keptIn(page)).toEqual([])
}

const logOut = async (page: Page) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(toast(page, 'Logged out successfully')).toBeVisible()
}

test.describe('A draft', () => {
  test('is dropped by a sign-out in another tab, immediately', async ({ page, complaints }) => {
    const { email } = await join(page)
    await type(page)
    const other = await page.context().newPage()
    await logOut(other)
    await expect.poll(() => keptIn(page)).toEqual([])
    await expect(page).toHaveURL('/auth')
    await expectNothingTyped(page, email)
    expectNoComplaintsButOf(complaints, 401)
  })

  test('is dropped by a sign-out while its tab shows another site', async ({ page }) => {
    const { email } = await join(page)
    await type(page)
    await page.goto('about:blank')
    const other = await page.context().newPage()
    await logOut(other)
    await expectNothingTyped(page, email)
  })

  test("is dropped by another account's sign-in in another tab", async ({ page }) => {
    const { email } = await join(page)
    await holdLiveStream(page)
    await type(page)
    await page.context().clearCookies({ name: 'session' })
    const other = await page.context().newPage()
    await join(other, { email: freshAddress('another') })
    await other.goto('/')
    await expect(other.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await expect.poll(() => keptIn(page)).toEqual([])
    await expectNothingTyped(page, email)
  })

  test('survives a session that expires, in every tab, when the same account signs in again', async ({ page }) => {
    const { email } = await join(page)
    await holdLiveStream(page)
    await type(page)
    await page.context().clearCookies({ name: 'session' })
    const other = await page.context().newPage()
    await callApi(other, 'GET', '/auth/me')
    await callApi(other, 'POST', '/auth/login', { email, password: PASSWORD })
    await other.goto('/')
    await expect(other.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await page.reload()
    await expect(nameField(page)).toHaveValue('Typed by Ada')
  })
})
