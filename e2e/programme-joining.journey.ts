import type { Page } from '@playwright/test'
import { tokenIn } from '#server/test/mail-server.ts'
import { test as guarded, haveAccount } from './guarded-product.ts'
import { operate } from './operator.ts'
import {
  callApi,
  DESKTOP,
  expect,
  expectAccessible,
  expectNoSidewaysScrollAtAnyWidth,
  freshAddress,
  join,
  test as open,
  own,
  PASSWORD,
  type Product,
  startProduct,
  toast,
} from './product.ts'
import { walk } from './walk.ts'

// How people join a programme: by the link of an invitation, by its mail, by approval.

const approval = open.extend<object, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that it needs from this pattern
    async ({}, use) => {
      const product = await startProduct({ SIGN_UP: 'approval' })
      await use(product)
      await product.stop()
    },
    { scope: 'worker' },
  ],
})

async function openPeople(page: Page, product: Product, email: string) {
  await operate(product, 'accounts', 'make-manager', email)
  await page.goto('/programme')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Programme')
}

const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'People' }).getByRole('listitem').filter({ hasText: name })

/** Signs up on the page of an invitation, by keyboard alone. */
async function signUpAt(page: Page, path: string, name: string, email: string) {
  await page.goto(path)
  await expect(page.getByLabel('Email')).toBeFocused()
  const { type, key, fill, expectActs } = walk(page)
  await type(email)
  await key('Enter')
  await expect(page.getByLabel('Full Name')).toBeFocused()
  await type(name)
  await fill('Password', PASSWORD)
  await key('Enter')
  expectActs(5)
}

open('An invitation by link lets a person join, by keyboard', { tag: '@slow' }, async ({ page, product, browser }) => {
  const manager = freshAddress('manager')
  await join(page, { email: manager })
  await openPeople(page, product, manager)
  const [name, email] = [own('Ida'), freshAddress('ida')]
  await page.getByLabel('Email addresses').focus()
  await page.keyboard.type(email)
  await page.getByRole('button', { name: 'Invite', exact: true }).press('Enter')
  const outcome = page.getByRole('list', { name: 'Invited' }).getByRole('listitem')
  await expect(outcome).toContainText('Shown once. Pass this link on:')
  await expectNoSidewaysScrollAtAnyWidth(page)
  const link = new URL(/https?:\S+invitation=[\w-]+/.exec((await outcome.textContent()) ?? '')?.[0] ?? '')
  const context = await browser.newContext({ baseURL: product.url, viewport: { width: 390, height: 844 } })
  const guest = await context.newPage()
  await signUpAt(guest, link.pathname + link.hash, name, email)
  await expect(guest.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await context.close()
  await page.getByLabel('Search people').fill(name)
  await expect(row(page, name)).toContainText('Fellow')
})

guarded('An invitation by mail lets a person join, by keyboard', async ({ page, product, mails, browser }) => {
  const manager = await haveAccount(page, mails, { email: freshAddress('manager') })
  await callApi(page, 'POST', '/auth/login', { email: manager, password: PASSWORD })
  await openPeople(page, product, manager)
  const [name, email] = [own('Mel'), freshAddress('mel')]
  const { fill, pressByKey, expectActs } = walk(page)
  await fill('Email addresses', email)
  await pressByKey('button', 'Invite')
  expectActs(2)
  const outcome = page.getByRole('list', { name: 'Invited' }).getByRole('listitem')
  await expect(outcome).toContainText('Invited by mail')
  await expect(outcome).not.toContainText('invitation=')
  await expectNoSidewaysScrollAtAnyWidth(page)
  const { text } = await mails.next(email)
  const link = new URL(/https?:\S+invitation=[\w-]+/.exec(text)?.[0] ?? '')
  const context = await browser.newContext({ baseURL: product.url, viewport: { width: 768, height: 844 } })
  const guest = await context.newPage()
  await signUpAt(guest, link.pathname + link.hash, name, email)
  await expect(guest.getByRole('heading', { name: 'Check your mail' })).toBeVisible()
  await guest.goto(`/auth/verify#token=${tokenIn(await mails.next(email, 1))}`)
  await guest.getByRole('button', { name: 'Confirm this address' }).press('Enter')
  await expect(guest.getByRole('heading', { name: 'Your address is confirmed' })).toBeFocused()
  await context.close()
  await page.getByLabel('Search people').fill(name)
  await expect(row(page, name)).toContainText('Fellow')
  await expect(row(page, name)).not.toContainText('not confirmed')
})

approval('A person who waits is approved, by keyboard', { tag: '@slow' }, async ({ page, product, browser }) => {
  const manager = freshAddress('manager')
  await callApi(page, 'GET', '/auth/me')
  await callApi(page, 'POST', '/auth/register', { email: manager, password: PASSWORD, name: 'Mira Manager' })
  await operate(product, 'accounts', 'approve', manager)
  await callApi(page, 'POST', '/auth/login', { email: manager, password: PASSWORD })
  await openPeople(page, product, manager)
  const [name, email] = [own('Wil'), freshAddress('wil')]
  const context = await browser.newContext({ baseURL: product.url, viewport: DESKTOP })
  const guest = await context.newPage()
  await signUpAt(guest, '/auth', name, email)
  await expect(guest.getByRole('heading', { name: 'Waiting for approval' })).toBeFocused()
  await expectAccessible(guest)
  await expectNoSidewaysScrollAtAnyWidth(guest)

  const { fill, pressByKey, key, expectActs } = walk(page)
  await fill('Search people', name)
  await expect(row(page, name)).toContainText('Waits for approval')
  await pressByKey('button', `Manage ${name}`)
  await expect(page.getByRole('menuitem', { name: 'Approve' })).toBeFocused()
  await key('Enter')
  expectActs(3)
  await expect(toast(page, `${name} can sign in`)).toBeVisible()
  await expect(page.getByRole('button', { name: `Manage ${name}` })).toBeFocused()
  await expect(row(page, name)).not.toContainText('Waits for approval')
  await expectAccessible(page)
  await expectNoSidewaysScrollAtAnyWidth(page)

  await guest.getByRole('button', { name: 'Sign in' }).press('Enter')
  await guest.getByRole('button', { name: 'Access Platform' }).press('Enter')
  await expect(guest.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await context.close()
})
