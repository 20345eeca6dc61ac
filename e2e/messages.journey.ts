import type { Page } from '@playwright/test'
import { expect, expectNoComplaintsButOf, holdLiveStream, join, test, toast, visit } from './product.ts'
import { addFounder } from './records.ts'

// Section 8 of the specification: the messages of failed calls that a screen makes itself, and of the end of a session.
// web/src/app/failures.test.ts has those that are declared with their call.

const exactly = (page: Page, sentence: string) => toast(page, new RegExp(`^${sentence.replaceAll('.', '\\.')}$`))

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

/** Lets the calls of this method on a founder fail while `act` makes one, and closes the toast. */
async function expectToSay(page: Page, sentence: string, method: string, act: () => Promise<unknown>, body = {}) {
  const path = `**/api/founders/*${method === 'POST' ? '/refresh' : ''}`
  await page.route(path, (route) =>
    route.request().method() === method ? route.fulfill({ status: 500, json: body }) : route.fallback(),
  )
  await act()
  const said = exactly(page, sentence)
  await said.getByRole('button', { name: 'Close' }).click()
  await expect(said).toHaveCount(0)
  await page.unroute(path)
}

test.describe("A failed call shows its message, which the server's message replaces", () => {
  test('on cards, on the dashboard and in My Records, where typed text stays', { tag: '@slow' }, async ({
    page,
    complaints,
  }) => {
    await join(page)
    await test.step('Failed to refresh founder data, and on the dashboard Failed to refresh', async () => {
      const { name } = await addFounder(page)
      const refresh = () => press(page, `Refresh ${name}`)
      await visit(page, `/founders?search=${name}`)
      await expectToSay(page, 'Failed to refresh founder data', 'POST', refresh)
      await visit(page, '/')
      await expectToSay(page, 'Failed to refresh', 'POST', refresh)
      expectNoComplaintsButOf(complaints, 500)
    })
    await test.step('in My Records Failed to refresh data, Failed to delete, Failed to update, and typed text stays', async () => {
      const { name } = await addFounder(page)
      await visit(page, '/my-records')
      await expectToSay(page, 'Failed to refresh data', 'POST', () => press(page, `Refresh ${name}`))
      await expectToSay(page, 'Failed to delete', 'DELETE', async () => {
        await press(page, `Delete ${name}`)
        await press(page, 'Delete')
      })
      await press(page, `Edit ${name}`)
      const notes = page.getByRole('textbox', { name: 'Notes' })
      await notes.fill('Typed with care.')
      const save = () => press(page, 'Save Changes')
      await expectToSay(page, 'Failed to update', 'PUT', save)
      await expectToSay(page, 'The cellar is under water.', 'PUT', save, { error: 'The cellar is under water.' })
      await expect(notes).toHaveValue('Typed with care.')
      expectNoComplaintsButOf(complaints, 500)
    })
  })
})

test.describe('Authentication fails', () => {
  for (const [path, says] of [
    ['/founders', 'Authentication required. Please log in.'],
    ['/my-records', 'Please log in to view your records'],
  ] as const) {
    test(`on a 401 at ${path} says ${says}, once, and goes to /auth`, async ({ page, complaints }) => {
      await join(page)
      await holdLiveStream(page)
      const counts = ['/api/nav-counts', '/api/inbox/count'].map((call) =>
        page.waitForResponse((response) => response.url().includes(call)),
      )
      await page.goto('/companies/add')
      await expect(page.getByLabel('Name', { exact: true })).toBeVisible()
      // Asked for when the page is idle. Otherwise one of them might be the call that meets the 401.
      await Promise.all(counts)
      await page.context().clearCookies({ name: 'session' })
      await page.getByRole('navigation').locator(`a[href="${path}"]`).click()
      await expect(exactly(page, says)).toHaveCount(1)
      await expect(page).toHaveURL('/auth')
      expectNoComplaintsButOf(complaints, 401)
    })
  }
})
