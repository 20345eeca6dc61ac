import { emailField, passwordField } from './auth-screen.ts'
import { expectState, step, upload } from './import-screen.ts'
import { expect, freshAddress, join, own, PASSWORD, test, visit } from './product.ts'
import { addFounder } from './records.ts'

test.describe('Back goes one step back', () => {
  test('from the password to the address, and from the dashboard out of the sign-in', async ({ page }) => {
    const { email } = await join(page)
    await page.context().clearCookies()
    await page.goto('/healthz')
    await page.goto('/auth')
    await emailField(page).fill(email)
    await page.keyboard.press('Enter')
    await passwordField(page).fill(PASSWORD)
    await page.goBack()
    await expect(emailField(page)).toHaveValue(email)
    await expect(emailField(page)).toBeFocused()
    await page.goForward()
    await expect(passwordField(page)).toHaveValue('')
    await page.getByRole('button', { name: 'Change' }).dblclick()
    await expect(emailField(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await passwordField(page).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/healthz')
  })

  test('from step to step of an import, and from one tab, kind or status to the other', { tag: '@slow' }, async ({
    page,
  }) => {
    await join(page)
    await test.step('from step to step of an import, and out of one that has run', async () => {
      const name = own('Back')
      await upload(page, {
        name: 'back.csv',
        buffer: Buffer.from(`Name,LinkedIn,Notes\n${name},https://www.linkedin.com/in/${name},Met\n`),
      })
      await page.waitForURL(/[?&]id=/)
      await expectState(page, 'ready')
      await expect(step(page, 'Preview')).toBeVisible()
      const steps = page.getByRole('list', { name: 'Steps' })
      await steps.getByRole('button', { name: 'Columns' }).click()
      await expect(step(page, 'Columns')).toBeVisible()
      await steps.getByRole('button', { name: 'Format' }).click()
      await expect(step(page, 'Format')).toBeVisible()
      await page.goBack()
      await expect(step(page, 'Columns')).toBeVisible()
      await page.goBack()
      await expect(step(page, 'Preview')).toBeVisible()
      await page.goForward()
      await page.getByRole('button', { name: 'Preview', exact: true }).last().click()
      await page.getByRole('button', { name: /^Import 1/ }).click()
      await expect(step(page, 'Imported')).toBeVisible()
      await page.goBack()
      await expect(step(page, 'Choose a file')).toBeVisible()
    })
    await test.step('from one tab, kind or status to the other', async () => {
      for (const { path, label, query } of [
        { path: '/my-records', label: /Founders Only/, query: /show=founders/ },
        { path: '/duplicates', label: /Companies/, query: /show=companies/ },
        { path: '/pipeline', label: /^Companies$/, query: /show=companies/ },
        { path: '/pipeline', label: /^On hold$/, query: /status=on_hold/ },
      ]) {
        await visit(page, path)
        const main = page.getByRole('main')
        await (path === '/pipeline' ? main.getByText(label) : main.getByRole('tab', { name: label })).first().click()
        await expect(page).toHaveURL(query)
        await page.goBack()
        await expect(page).toHaveURL(path)
      }
    })
  })

  test('out of a dialog, and of a question above it, to the screen below', async ({ page }) => {
    await join(page)
    const { id } = await addFounder(page)
    await page.goto('/my-records')
    const expectClosed = async () => {
      await page.goBack()
      await expect(page.getByRole('dialog')).toBeHidden()
      await expect(page).toHaveURL(`/founders/${id}`)
    }
    await page.locator(`a[href="/founders/${id}"]`).first().click()
    const pass = page.getByRole('button', { name: 'Pass…' })
    await expect(pass).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('dialog', { name: 'Search', exact: true })).toBeVisible()
    await expectClosed()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expectClosed()
    await pass.click()
    const reasons = page.getByRole('dialog', { name: /^Why pass on/ })
    await reasons.getByRole('textbox', { name: 'Remark' }).fill('Too early')
    await page.goBack()
    const question = page.getByRole('dialog', { name: 'Discard your changes?' })
    await expect(question).toBeVisible()
    await page.goBack()
    await expect(question).toBeHidden()
    await expect(reasons.getByRole('textbox', { name: 'Remark' })).toHaveValue('Too early')
    await page.goBack()
    await question.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page).toHaveURL(`/founders/${id}`)
    await page.goBack()
    await expect(page).toHaveURL('/my-records')
  })
})

test('An invitation that is opened while someone is signed in says what it is for, and is there after the logout and a reload', async ({
  page,
}) => {
  const { email } = await join(page)
  await page.goto('/auth#invitation=a-token')
  await expect(page.getByRole('heading', { name: /An invitation to join/ })).toBeFocused()
  await expect(page.getByText(`You are signed in as ${email}`)).toBeVisible()
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText('You are invited to join')).toBeVisible()
  await page.reload()
  await expect(page.getByText('You are invited to join')).toBeVisible()
  await emailField(page).fill(freshAddress())
  await page.keyboard.press('Enter')
  const answered = page.waitForResponse('**/api/auth/smart-auth')
  await page.getByLabel('Full Name').fill('Ada Lovelace')
  await passwordField(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  expect((await answered).request().postDataJSON()).toMatchObject({ invitation: 'a-token' })
})

test('A link that sets a password or proves an address says who is signed in, and is not lost by a reload', async ({
  page,
}) => {
  const { email } = await join(page)
  for (const [path, title] of [
    ['/auth/reset', 'Choose a new password'],
    ['/auth/verify', 'Confirm your address'],
    ['/auth/address', 'Confirm your new address'],
  ] as const) {
    await page.goto(`${path}#token=a-token`)
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await expect(page.getByText(email)).toBeVisible()
  }
  await page.context().clearCookies()
  await page.reload()
  await expect(page.getByText('This link moves your account to a new address.')).toBeVisible()
})
