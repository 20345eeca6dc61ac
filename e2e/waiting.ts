import type { Page } from '@playwright/test'
import { callApi, expect, expectNoComplaintsButOf, visit } from './product.ts'

// Add forms that wait on the device for the network.

/** Browsers write calls without a network, and refused ones, to the console. */
export const ignoreNetwork = (complaints: string[], ...more: number[]) =>
  expectNoComplaintsButOf(complaints, 'ERR_INTERNET_DISCONNECTED', 400, 401, ...more)

export const line = (page: Page, count: string) =>
  page.getByRole('status').filter({ hasText: `${count} waiting to be sent` })

/** Opens the add form, and waits until what it needs without a network is there. */
export async function openForm(page: Page, path = '/founders/add') {
  await visit(page, path)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
  await page.waitForLoadState('networkidle')
}

export async function fill(page: Page, name: string, notes = 'Met at the demo day.') {
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel(/LinkedIn profile|Website/).fill(`https://www.linkedin.com/in/${name.toLowerCase()}`)
  await page.getByLabel('Notes').fill(notes)
  await page.getByRole('button', { name: /^Add to / }).click()
}

export const countOf = async (page: Page, name: string, path = '/founders') =>
  (await callApi(page, 'GET', `${path}?search=${name}`)).body.length

/** Adds a founder without a network, which then waits. */
export async function leaveWaiting(page: Page, name: string, notes?: string) {
  await openForm(page)
  await page.context().setOffline(true)
  await fill(page, name, notes)
  await expect(line(page, '1 form')).toBeVisible()
}
