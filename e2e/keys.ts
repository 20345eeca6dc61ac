import type { Locator, Page } from '@playwright/test'
import { expect } from './product.ts'

// A page by keyboard alone.

type Role = 'link' | 'button' | 'textbox' | 'searchbox' | 'combobox' | 'checkbox' | 'switch'

/** Presses Tab until the focus is on the target. */
export async function tabTo(within: Page | Locator, role: Role, name: string | RegExp) {
  const page = 'keyboard' in within ? within : within.page()
  const wanted = within.getByRole(role, { name }).first()
  await expect(wanted).toBeVisible()
  await expect(wanted).not.toHaveJSProperty('disabled', true)
  for (let presses = 0; presses < 80; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return page
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never came to ${name}`)
}

/** Presses Tab until the focus is on the target, then Enter. */
export const press = async (within: Page | Locator, role: Role, name: string | RegExp) => {
  const page = await tabTo(within, role, name)
  await page.keyboard.press('Enter')
}
