import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { callApi, expect, join, own, test, toast, visit } from './product.ts'

/** The server handles the first call on this path; its response never arrives. */
async function loseFirstAnswer(page: Page, path: string) {
  let isLost = false
  await page.route(`**/api${path}`, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.continue()
    isLost = true
    await route.fetch()
    await route.abort()
  })
}

/** Browsers log a call without a response to the console. */
const expectOnlyTheLostCall = (complaints: string[]) => {
  expect(complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([])
  complaints.length = 0
}

const countOf = async (page: Page, path: string, name: string) =>
  (await callApi(page, 'GET', `${path}?search=${name}`)).body.length

test.describe('When the response to a create call is lost', () => {
  test('a founder that is sent again, immediately or after a reload, is added once', async ({ page, complaints }) => {
    await join(page)
    for (const isReloaded of [false, true]) {
      const name = own('Lost')
      await loseFirstAnswer(page, '/founders')
      await page.goto('/founders/add')
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('LinkedIn profile').fill('https://x.example/in')
      await page.getByLabel('Notes').fill('Sent twice.')
      await page.getByRole('button', { name: 'Add to Network' }).click()
      await expect(toast(page, 'Failed to add founder')).toBeVisible()
      expect(await countOf(page, '/founders', name)).toBe(1)
      if (isReloaded) await page.reload()
      await page.getByRole('button', { name: 'Add to Network' }).click()
      await expect(toast(page, /added successfully!/)).toBeVisible()
      await page.waitForURL('/founders')
      expect(await countOf(page, '/founders', name)).toBe(1)
      await page.unroute('**/api/founders')
    }
    expectOnlyTheLostCall(complaints)
  })

  test('a founder that was edited before the retry and a file that is chosen again are stored once', async ({
    page,
    complaints,
  }) => {
    await join(page)
    await test.step('a founder that was edited before the retry is not added twice, and a toast says so', async () => {
      const name = own('Reworded')
      await loseFirstAnswer(page, '/founders')
      await visit(page, '/founders/add')
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('LinkedIn profile').fill('https://x.example/in')
      await page.getByLabel('Notes').fill('First words.')
      await page.getByRole('button', { name: 'Add to Network' }).click()
      await expect(toast(page, 'Failed to add founder')).toBeVisible()
      await page.getByLabel('Notes').fill('Other words.')
      await page.getByRole('button', { name: 'Add to Network' }).click()
      await expect(toast(page, /^This was already saved/)).toBeVisible()
      expect(await countOf(page, '/founders', name)).toBe(1)
      complaints.length = 0
    })
    await test.step('a file for an import that is chosen again is stored once', async () => {
      const path = test.info().outputPath('lost.csv')
      await writeFile(path, 'Name,Rating\nAda Lovelace,5\n')
      await loseFirstAnswer(page, '/imports?*')
      await visit(page, '/import')
      await page.locator('input[type=file]').setInputFiles(path)
      await expect(page.getByRole('alert')).toContainText("We couldn't upload this file. Try again.")
      expectOnlyTheLostCall(complaints)
      await page.locator('input[type=file]').setInputFiles(path)
      await expect(page.getByText('lost.csv · 27 bytes')).toBeVisible()
      expect((await callApi(page, 'GET', '/imports')).body).toHaveLength(1)
    })
  })

  test('a note that is sent again is added once; the same text later adds another note', async ({
    page,
    complaints,
  }) => {
    await join(page)
    const name = own('Noted')
    const { body: founder } = await callApi(page, 'POST', '/founders', {
      name,
      linkedIn: 'https://x.example/in',
      notes: 'n',
    })
    await loseFirstAnswer(page, `/notes/founder/${founder.id}`)
    await page.goto(`/founders?search=${name}`)
    await page
      .getByRole('article', { name })
      .getByRole('button', { name: /^Add a note/ })
      .click()
    const box = page.getByRole('dialog').getByRole('textbox')
    const total = async () => (await callApi(page, 'GET', `/notes/founder/${founder.id}`)).body.totalNotes
    await box.fill('Call her back')
    await box.press('Enter')
    await expect(toast(page, 'Failed to add note')).toBeVisible()
    await expect(box).toHaveValue('Call her back')
    await box.press('Enter')
    await expect(toast(page, 'Note added successfully')).toBeVisible()
    expect(await total()).toBe(1)
    await box.fill('Call her back')
    await box.press('Enter')
    await expect.poll(total).toBe(2)
    expectOnlyTheLostCall(complaints)
  })
})
