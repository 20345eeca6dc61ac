import { callApi, expect, expectNoComplaintsButOf, join, own, PASSWORD, test, toast, visit } from './product.ts'
import { countOf, fill, ignoreNetwork, leaveWaiting, line, openForm } from './waiting.ts'

test.afterEach(({ context }) => context.setOffline(false))

test.describe('A waiting form', () => {
  test('stays when the session has ended, and is sent once after the sign-in, when the person says so', async ({
    page,
    context,
    complaints,
  }) => {
    const { email } = await join(page)
    const name = own('Ended')
    await leaveWaiting(page, name)
    // The session ends between the question who is signed in and the form.
    await page.route(
      '**/api/founders',
      async (route) => {
        await callApi(page, 'POST', '/auth/logout')
        await route.continue()
      },
      { times: 1 },
    )
    await context.setOffline(false)
    await expect(page).toHaveURL(/\/auth/)
    await expect(line(page, '1 form')).toHaveCount(0)
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Continue to Platform' }).click()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Access Platform' }).click()
    await expect(page).toHaveURL('/founders/add')
    await line(page, '1 form').getByRole('link', { name: 'Show' }).click()
    await page.getByRole('button', { name: `Send ${name}` }).click()
    await expect(toast(page, /added successfully!/)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Nothing is waiting' })).toBeVisible()
    expect(await countOf(page, name)).toBe(1)
    ignoreNetwork(complaints, 403)
  })

  test('is added once, whatever becomes of its token, its tab, the response or its text', { tag: '@slow' }, async ({
    page,
    context,
    complaints,
  }) => {
    await join(page)
    await test.step('is sent with a new token when the server refuses the old one', async () => {
      const name = own('Forged')
      await leaveWaiting(page, name)
      await page.route(
        '**/api/founders',
        (route) => route.continue({ headers: { ...route.request().headers(), 'x-xsrf-token': 'of another session' } }),
        { times: 1 },
      )
      await context.setOffline(false)
      await expect(line(page, '1 form')).toHaveCount(0)
      await expect(toast(page, /added successfully!/).last()).toBeVisible()
      expect(await countOf(page, name)).toBe(1)
      ignoreNetwork(complaints, 403)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('is added once when its tab is closed while it is sent, or the response breaks off', async () => {
      const name = own('Killed')
      // This page must not send it.
      await page.goto('about:blank')
      const typed = await context.newPage()
      await openForm(typed)
      await context.setOffline(true)
      await fill(typed, name)
      await expect(line(typed, '1 form')).toBeVisible()
      const saved = new Promise<void>((resolve) => {
        void typed.route('**/api/founders', async (route) => {
          await route.fetch()
          resolve()
        })
      })
      await context.setOffline(false)
      await saved
      await typed.close()
      expect(await countOf(page, name)).toBe(1)
      await page.route(
        '**/api/founders',
        async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, body: (await response.text()).slice(0, 40) })
        },
        { times: 1 },
      )
      await visit(page, '/companies')
      await expect(line(page, '1 form')).toBeVisible()
      await expect(line(page, '1 form')).toHaveCount(0)
      await expect(toast(page, /added successfully!/).last()).toBeVisible()
      expect(await countOf(page, name)).toBe(1)
      ignoreNetwork(complaints)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('that was edited after the server had saved it is not added twice, and says so', async () => {
      const name = own('Reworded')
      await openForm(page)
      await page.route(
        '**/api/founders',
        async (route) => {
          await route.fetch()
          await context.setOffline(true)
          await route.abort('internetdisconnected')
        },
        { times: 1 },
      )
      await fill(page, name)
      await line(page, '1 form').getByRole('link', { name: 'Show' }).click()
      await page.getByRole('link', { name: `Edit ${name}` }).click()
      await page.getByLabel('Notes').fill('Other words.')
      await page.getByRole('button', { name: 'Add to Network' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Waiting to be sent' })).toBeVisible()
      await context.setOffline(false)
      await expect(page.getByText('Not sent: This was already saved with different content.')).toBeVisible()
      expect(await countOf(page, name)).toBe(1)
      await page.getByRole('button', { name: `Send ${name}` }).click()
      await expect(page.getByText('Not sent: This was already saved with different content.')).toBeVisible()
      expect(await countOf(page, name)).toBe(1)
      ignoreNetwork(complaints, 422)
    })
  })
})

test('A browser that forbids storage keeps the form open without a network, says so, and sends it later', async ({
  page,
  context,
  complaints,
}) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('forbidden', 'SecurityError')
        },
      })
  })
  await join(page)
  const name = own('Forbidden')
  await openForm(page)
  await context.setOffline(true)
  await fill(page, name)
  await expect(toast(page, /this device could not store the form/)).toBeVisible()
  await expect(page.getByLabel('Notes')).toHaveValue('Met at the demo day.')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Add to Network' }).click()
  await expect(toast(page, /added successfully!/)).toBeVisible()
  expect(await countOf(page, name)).toBe(1)
  expectNoComplaintsButOf(complaints, 'ERR_INTERNET_DISCONNECTED')
})
