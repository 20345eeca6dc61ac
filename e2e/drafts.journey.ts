import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  freshAddress,
  holdLiveStream,
  join,
  keptIn,
  PASSWORD,
  signIn,
  test,
  toast,
} from './product.ts'
import { addFounder } from './records.ts'

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

/** `answer` is that to the question what becomes of unsaved text. */
const logOut = async (page: Page, answer?: string) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Logout' }).click()
  if (answer) await page.getByRole('dialog').getByRole('button', { name: answer, exact: true }).click()
  await expect(toast(page, 'Logged out successfully')).toBeVisible()
}

test.describe('A draft', () => {
  test('is dropped by a sign-out in another tab that discards it, immediately', async ({ page, complaints }) => {
    const { email } = await join(page)
    await type(page)
    const other = await page.context().newPage()
    await logOut(other, 'Discard')
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

  test('is kept on the device by a sign-out in another tab that keeps it, and offered at the next sign-in', async ({
    page,
    complaints,
  }) => {
    const { email } = await join(page)
    await type(page)
    const other = await page.context().newPage()
    await logOut(other, 'Keep on this device')
    await expect.poll(() => keptIn(page)).toEqual([])
    await page.goto('about:blank')
    await signIn(other, email)
    await expect(other.getByRole('region', { name: 'Not saved' })).toContainText('You were adding Typed by Ada')
    expectNoComplaintsButOf(complaints, 401)
  })

  test('is sent by a sign-out that sends it', async ({ page, complaints }) => {
    await join(page)
    const [{ id }, other] = [await addFounder(page), await addFounder(page)]
    await page.goto(`/founders/${other.id}`)
    await expect(page.getByRole('heading', { level: 1, name: other.name })).toBeVisible()
    await page.keyboard.press('e')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Company' }).fill('Acme')
    await page.goto(`/founders/${id}`)
    await page.getByRole('button', { name: 'Add a title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('CTO')
    await page.getByRole('textbox', { name: 'New note' }).fill('Half a note')
    await page.getByRole('button', { name: 'Logout' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button')).toHaveText(['Discard', 'Keep on this device', 'Send now'])
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByRole('textbox', { name: 'New note' })).toHaveValue('Half a note')
    await page.getByRole('button', { name: 'Logout' }).click()
    await dialog.getByRole('button', { name: 'Send now' }).click()
    await expect(page).toHaveURL('/auth')
    await join(page)
    expect((await callApi(page, 'GET', `/notes/founder/${id}`)).body.notes).toMatchObject([{ content: 'Half a note' }])
    const factsOf = async (id: string) =>
      JSON.parse((await callApi(page, 'GET', `/founders/${id}`)).body.additionalInfo)
    expect(await factsOf(id)).toMatchObject({ current_title: 'CTO' })
    expect(await factsOf(other.id)).toMatchObject({ current_company: 'Acme' })
    // The note arrives as a change once more.
    expectNoComplaintsButOf(complaints, 401)
  })

  test('stays for its account, unseen, when another account signs in in another tab', async ({ page, complaints }) => {
    const { email } = await join(page)
    await type(page)
    await page.context().clearCookies({ name: 'session' })
    const other = await page.context().newPage()
    await join(other, { email: freshAddress('another') })
    await other.goto('/')
    await expect(other.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await page.reload()
    await expect(nameField(page)).toHaveValue('')
    await expect(page.getByRole('region', { name: 'Not saved' })).toHaveCount(0)
    await callApi(page, 'POST', '/auth/login', { email, password: PASSWORD })
    await page.reload()
    await expect(nameField(page)).toHaveValue('Typed by Ada')
    // Without a session for a moment, a call of the page is refused.
    expectNoComplaintsButOf(complaints, 401, 409)
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
