import type { Page } from '@playwright/test'
import { join } from './product.ts'

// The screens for signed-out people, for journeys in several files.

export const emailField = (page: Page) => page.getByRole('textbox', { name: 'Email' })
export const passwordField = (page: Page) => page.getByLabel('Password', { exact: true })
export const newPasswordField = (page: Page) => page.getByLabel('New password', { exact: true })
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
export const heading = (page: Page, name: string) => page.getByRole('heading', { name })

export const goOnWith = async (page: Page, email: string) => {
  await page.goto('/auth')
  await emailField(page).fill(email)
  await page.keyboard.press('Enter')
}

/** The address of an account without a session here. */
export const knownAddress = async (page: Page) => {
  const { email } = await join(page)
  await page.context().clearCookies()
  return email
}
