import type { Page } from '@playwright/test'
import { operate as runOperator } from './operator.ts'
import {
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  freshAddress,
  hold,
  join,
  test as open,
  PASSWORD,
  type Product,
  startProduct,
  toast,
} from './product.ts'

// Modes of sign-up that an operator can set. Each mode runs its own product.

const operate = (product: Product, ...args: string[]) => runOperator(product, 'accounts', ...args)

const modeOf = (mode: string) =>
  open.extend<object, { product: Product }>({
    product: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that it needs from this pattern
      async ({}, use) => {
        const product = await startProduct({ SIGN_UP: mode })
        await use(product)
        await product.stop()
      },
      { scope: 'worker' },
    ],
  })

const tests = { open, approval: modeOf('approval'), invited: modeOf('invited') }

const heading = (page: Page, name: string) => page.getByRole('heading', { name })

/** Fills in the field and continues, by keyboard alone. */
const type = async (page: Page, label: string, text: string) => {
  const field = page.getByLabel(label, { exact: true })
  await expect(field).toBeFocused()
  await field.pressSequentially(text)
}

const goOnWith = async (page: Page, email: string) => {
  await type(page, 'Email', email)
  await page.keyboard.press('Enter')
}

const signUp = async (page: Page, email: string) => {
  await goOnWith(page, email)
  await type(page, 'Full Name', 'Ada Lovelace')
  await page.keyboard.press('Tab')
  await type(page, 'Password', PASSWORD)
  await page.keyboard.press('Enter')
}

tests.approval.describe('Where sign-ups are approved', () => {
  tests.approval('a new account waits for approval, and can then sign in', async ({ page, product, complaints }) => {
    const email = freshAddress()
    await page.goto('/auth')
    await signUp(page, email)
    await expect(heading(page, 'Waiting for approval')).toBeFocused()
    await expect(page.getByText(email)).toBeVisible()
    await expect(toast(page, 'Account created successfully!')).toHaveCount(0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 800 })
    await expectNoSidewaysScroll(page)

    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Waiting for approval')).toBeFocused()
    await expect(toast(page, 'Welcome back!')).toHaveCount(0)
    await expect(toast(page, 'waiting for approval')).toHaveCount(0)

    expect(await operate(product, 'approve', email)).toContain(`${email} is approved`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Welcome back!')).toBeVisible()
    await expect(heading(page, 'Dashboard')).toBeVisible()
    expectNoComplaintsButOf(complaints, 403)
  })
})

tests.invited.describe('Where sign-ups are by invitation', () => {
  const linkIn = (printed: string) => {
    const token = /#invitation=([\w-]{43})\s*$/.exec(printed)?.[1] ?? ''
    return { token, path: `/auth#invitation=${token}` }
  }

  tests.invited(
    'a newcomer without an invitation, or with one for another address, stays at the first step',
    async ({ page, complaints, product }) => {
      await open.step('a newcomer without an invitation stays at the first step', async () => {
        await page.goto('/auth')
        await goOnWith(page, freshAddress())
        await expect(
          page.getByText('Signing up is by invitation only. Ask your programme for an invitation.'),
        ).toBeVisible()
        await expect(page.getByRole('button', { name: 'Continue to Platform' })).toBeVisible()
        expectNoComplaintsButOf(complaints, 403)
      })
      await open.step('a link for another address says so', async () => {
        const { path } = linkIn(await operate(product, 'invite', freshAddress()))
        // In the page that is open: only the fragment changes.
        await page.goto(path)
        await expect(page.getByText('You are invited')).toBeVisible()
        await expect(page).toHaveURL('/auth')
        await page.getByLabel('Email').fill('')
        await goOnWith(page, freshAddress())
        await expect(page.getByText('is for another address. Ask your programme for a new one.')).toBeVisible()
        expectNoComplaintsButOf(complaints, 403)
      })
    },
  )

  tests.invited('its link leads through all steps, and leaves no trace in the address', async ({ page, product }) => {
    const { token, path } = linkIn(await operate(product, 'invite'))
    expect(token).toMatch(/./)
    const seen: string[] = []
    page.on('request', (request) => {
      seen.push(`${request.url()} ${request.headers().referer}`)
    })
    const release = await hold(page, '/auth/me')
    await page.goto(path)
    await expect(page).toHaveURL('/auth')
    release()
    await expect(page.getByText('You are invited to join Venture Fellows.')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 800 })
    await expectNoSidewaysScroll(page)
    const { name, email } = { name: 'Full Name', email: freshAddress() }
    await goOnWith(page, email)
    await expect(page.getByLabel(name)).toBeVisible()
    await page.getByRole('button', { name: '← Use different email address' }).click()
    await page.keyboard.press('Enter')
    await type(page, name, 'Ada Lovelace')
    await page.keyboard.press('Tab')
    await type(page, 'Password', PASSWORD)
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Account created successfully!')).toBeVisible()
    await expect(heading(page, 'Dashboard')).toBeVisible()
    expect(seen.length).toBeGreaterThan(2)
    expect(seen.filter((line) => line.includes(token))).toEqual([])
  })
})

tests.open.describe('A disabled fellow', () => {
  tests.open(
    'does not sign up again with a tag in the address',
    { tag: '@slow' },
    async ({ page, product, complaints }) => {
      const { email } = await join(page)
      await operate(product, 'disable', email)
      await page.context().clearCookies()
      await page.goto('/auth')
      await goOnWith(page, email.replace('@', '+2@'))
      await expect(page.getByText('An account with another spelling of this address is disabled.')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Continue to Platform' })).toBeVisible()

      await operate(product, 'allow', email)
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('Full Name')).toBeVisible()
      expectNoComplaintsButOf(complaints, 403)
    },
  )
})
