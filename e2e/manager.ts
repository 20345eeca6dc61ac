import type { Page } from '@playwright/test'
import { operate } from './operator.ts'
import { expect, freshAddress, join, type Product } from './product.ts'

/** Signs up as a fellow whom the operator makes a manager. Returns the address. */
export async function joinAsManager(page: Page, product: Product): Promise<string> {
  const email = freshAddress('manager')
  await join(page, { name: 'Mira Manager', email })
  await operate(product, 'accounts', 'make-manager', email)
  return email
}

/** The same, with the people of the programme open. */
export async function openPeopleAsManager(page: Page, product: Product): Promise<string> {
  const email = await joinAsManager(page, product)
  await page.goto('/programme')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Programme')
  return email
}
