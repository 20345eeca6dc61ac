import type { Locator, Page } from '@playwright/test'
import { expect, freshAddress, own, PASSWORD, test, toast } from './product.ts'

/** Presses Tab until the focus is on the target. */
async function tabTo(within: Page | Locator, role: 'link' | 'button' | 'textbox' | 'searchbox', name: string | RegExp) {
  const page = 'keyboard' in within ? within : within.page()
  const wanted = within.getByRole(role, { name }).first()
  await expect(wanted).toBeVisible()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return page
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never came to ${name}`)
}

const press = async (within: Page | Locator, role: 'link' | 'button', name: string | RegExp) => {
  const page = await tabTo(within, role, name)
  await page.keyboard.press('Enter')
}

test('A fellow can do everything by keyboard alone', async ({ page }) => {
  test.setTimeout(120_000)
  await page.goto('/')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(freshAddress('keys'))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Full Name')).toBeFocused()
  await page.keyboard.type('Key Board')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

  const company = own('Keyed')
  await press(page, 'link', 'Add Company')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type(company)
  for (const typed of ['', '', 'Found without a mouse.']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(typed)
  }
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Company added successfully!')).toBeVisible()

  await expect(page.getByRole('heading', { name: 'Search Companies' })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(company)
  await expect(page.getByText('1 company', { exact: true })).toBeVisible()
  await press(page, 'button', /Add a note/)
  await expect(page.getByRole('textbox', { name: 'New note' })).toBeFocused()
  await page.keyboard.type('Noted by hand.')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Note added successfully')).toBeVisible()
  await press(page, 'button', 'Delete note')
  await expect(page.getByText('Are you sure you want to delete this note?')).toBeVisible()
  await press(page.getByRole('dialog', { name: 'Delete note' }), 'button', 'Delete')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(toast(page, 'Note deleted successfully')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await press(page, 'link', 'My Records')
  await press(page, 'button', `Edit ${company}`)
  await page.keyboard.type(' Twice.')
  await press(page, 'button', 'Save Changes')
  await expect(toast(page, 'Company updated successfully')).toBeVisible()
  await press(page, 'button', `Delete ${company}`)
  await expect(page.getByRole('dialog')).toBeVisible()
  await press(page.getByRole('dialog'), 'button', 'Delete')
  await expect(toast(page, `Company "${company}" deleted successfully`)).toBeVisible()

  await press(page, 'button', 'Logout')
  await expect(toast(page, 'Logged out successfully')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()
})
