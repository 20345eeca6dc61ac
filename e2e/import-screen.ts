import type { Page } from '@playwright/test'
import { callApi, expect, visit } from './product.ts'

export type NamedFile = { name: string; buffer: Buffer }

/** Chooses a file on the screen of imports, as the browser's dialog would. */
export async function chooseFile(page: Page, file: NamedFile) {
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await expect(page.locator('input[type=file]')).toHaveAttribute('aria-label', 'File to import')
  await page.locator('input[type=file]').setInputFiles({ ...file, mimeType: 'text/csv' })
}

export async function upload(page: Page, file: NamedFile) {
  await visit(page, '/import')
  await chooseFile(page, file)
}

/** Uploads the file and opens its preview, whatever is doubtful about it. */
export async function preview(page: Page, file: NamedFile) {
  await upload(page, file)
  await page.waitForURL(/[?&]id=/)
  const { pathname, search } = new URL(page.url())
  await visit(page, `${pathname}${search.replace(/&step=.*/, '')}&step=preview`)
  await expect(step(page, 'Preview')).toBeVisible()
}

/** The title of the current step. */
export const step = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true })

/** The filter of the rows of an outcome, with their number. */
export const filter = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Which rows' }).getByRole('button', { name, exact: true })

/** The address of the import that the page shows. */
export const importCall = (page: Page) => `/imports/${new URL(page.url()).searchParams.get('id')}`

/** How far the import that the page shows has come, or its state once that is the expected one. */
async function progressOf(page: Page, state: string): Promise<string> {
  const { body } = await callApi(page, 'GET', importCall(page))
  return body.state === state ? state : `${body.state} ${body.done} of ${body.total}`
}

/** Waits until the server has finished the current step of the import that the page shows, as long as it goes on. */
export async function expectState(page: Page, state: string) {
  let reached = await progressOf(page, state)
  while (reached !== state) {
    const before = reached
    const next = async () => {
      reached = await progressOf(page, state)
      return reached
    }
    await expect.poll(next, { timeout: 60_000, message: `goes on after ${before}` }).not.toBe(before)
  }
}

/** A CSV file of so many founders, whose names contain this word. */
export const manyFounders = (word: string, count: number) =>
  Buffer.from(`Name,Notes\n${Array.from({ length: count }, (_, at) => `${word} ${at},Met at the fair\n`).join('')}`)
