import type { Page } from '@playwright/test'
import {
  expect,
  expectNoComplaintsButOf,
  failWith,
  freshAddress,
  hold,
  holdLiveStream,
  join,
  own,
  PASSWORD,
  test,
  toast,
  visit,
} from './product.ts'
import { addFounder } from './records.ts'

// Section 9 of the specification, where only a browser shows it.

/** Expects the toast to disappear after this many milliseconds of the page's clock, and not before. */
async function expectToStay(page: Page, text: string, milliseconds: number) {
  await expect(toast(page, text)).toBeVisible()
  await page.clock.runFor(milliseconds - 100)
  await expect(toast(page, text)).toBeVisible()
  // A closing toast takes a moment to fade.
  await page.clock.runFor(1000)
  await expect(toast(page, text)).toBeHidden()
}

test.describe('Business constants and limits', () => {
  test.use({ setsClock: true })

  test('Delay after successful auth before navigating: 500 ms', async ({ page }) => {
    const email = freshAddress()
    await page.goto('/auth')
    await page.getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Full Name').fill('Ada')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    const answered = page.waitForResponse('**/api/auth/smart-auth').then(() => Date.now())
    await page.keyboard.press('Enter')
    const at = await answered
    await page.waitForURL('/')
    expect(Date.now() - at).toBeGreaterThanOrEqual(450)
  })

  test('Toasts: top-right, up to 20 at once; success 3 s, default and error 4 s, loading until it is dismissed', async ({
    page,
    complaints,
  }) => {
    await join(page)
    await test.step('Toast position: top-right; success 3 s, default and error 4 s, loading until it is dismissed', async () => {
      const { name } = await addFounder(page)
      await page.clock.install()
      await visit(page, '/')
      const button = page.getByRole('button', { name: `Refresh ${name}` })
      await expect(button).toBeVisible()
      await page.clock.pauseAt(Date.now() + 60_000)
      await button.click()
      const sentence = 'No source of public data is set up'
      await expect(toast(page, sentence)).toBeVisible()
      const place = await toast(page, sentence).boundingBox()
      expect(place && place.x + place.width).toBeGreaterThan(1440 - 60)
      expect(place?.y).toBeLessThan(160)
      await expectToStay(page, sentence, 4000)
      // The steps after a refresh wait for the clock, which is paused.
      const untilEnabled = () =>
        expect(async () => {
          await page.clock.runFor(500)
          await expect(button).toBeEnabled({ timeout: 500 })
        }).toPass()
      await untilEnabled()

      await page.route('**/api/founders/*/refresh', (route) =>
        route.fulfill({ json: { success: true, enrichedData: {} } }),
      )
      await button.click()
      await expectToStay(page, `${name} refreshed successfully!`, 3000)
      await untilEnabled()

      const release = await hold(page, '/founders/*/refresh', { status: 500, json: {} })
      await button.click()
      const loading = `Refreshing ${name}…`
      await expect(toast(page, loading)).toBeVisible()
      await page.clock.runFor(60_000)
      await expect(toast(page, loading)).toBeVisible()
      release()
      await expectToStay(page, 'Failed to refresh', 4000)
      await expect(toast(page, loading)).toBeHidden()
      expectNoComplaintsButOf(complaints, 500)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('Toasts: up to 20 at once', async () => {
      await failWith(page, '/auth/logout', 500, {})
      // No toast closes while the clock is paused.
      const logout = page.getByRole('button', { name: 'Logout' })
      for (let count = 0; count < 21; count += 1) {
        await Promise.all([page.waitForResponse('**/api/auth/logout'), logout.dispatchEvent('click')])
        await expect(logout).toBeEnabled()
      }
      await expect(toast(page, 'Failed to logout')).toHaveCount(20)
      expectNoComplaintsButOf(complaints, 500)
    })
  })

  test('Request timeout: none', async ({ page }) => {
    await join(page)
    await page.clock.install()
    const release = await hold(page, '/dashboard')
    await page.goto('/')
    const loading = page.getByRole('main').locator('[aria-busy=true]').first()
    await expect(loading).toBeVisible()
    await page.clock.fastForward('01:00:00')
    await expect(loading).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    release()
    await expect(page.getByText('Founders Sourced')).toBeVisible()
  })

  test('A loading state, once shown, stays for 100 to 200 ms at least; a founder is reloaded 500 ms after its refresh', async ({
    page,
  }) => {
    await join(page)
    await test.step('A loading state, once shown, stays for 100 to 200 ms at least', async () => {
      await visit(page, '/')
      // The dashboard has a loading state too.
      await expect(page.getByText('Founders Sourced')).toBeVisible()
      // The response arrives as soon as the loading state is visible.
      await page.exposeFunction('onLoading', await hold(page, '/founders?*'))
      const shown = page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let since = 0
            new MutationObserver(() => {
              const isLoading = document.querySelector('main [aria-busy="true"]') !== null
              if (isLoading && since === 0) {
                since = performance.now()
                void (window as unknown as { onLoading: () => void }).onLoading()
              }
              if (!isLoading && since > 0) resolve(performance.now() - since)
            }).observe(document.body, { subtree: true, childList: true, attributes: true })
          }),
      )
      await page.getByRole('navigation').getByRole('link', { name: 'Search Founders' }).click()
      expect(await shown).toBeGreaterThanOrEqual(100)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('Delay after founder refresh before reload: 500 ms', async () => {
      const { name } = await addFounder(page)
      await visit(page, `/founders?search=${name}`)
      await page.route('**/api/founders/*/refresh', (route) =>
        route.fulfill({ json: { success: true, enrichedData: {} } }),
      )
      // The live stream reports the new founder, and this test waits for another reload.
      await page.waitForTimeout(500)
      const card = page.getByRole('article', { name, exact: true })
      await card.getByRole('button', { name: /^Refresh/ }).click()
      // Uses the page's own clock, because responses may reach this process late.
      const delay = await page.waitForFunction(() => {
        const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
        const refresh = calls.find(({ name }) => name.endsWith('/refresh'))
        const reload = calls.find(
          ({ name, startTime }) => name.includes('/founders?') && startTime > (refresh?.startTime ?? Infinity),
        )
        return refresh && reload && reload.startTime - refresh.responseEnd
      })
      expect(await delay.jsonValue()).toBeGreaterThanOrEqual(450)
    })
  })
})

test.describe('A profile picture', () => {
  const withPicture = async (page: Page, picture: string) => {
    // A change that arrives late would bring the record without its picture.
    await holdLiveStream(page)
    const { name } = await addFounder(page, { name: own('Pictured') })
    await page.route('**/api/founders?*', async (route) => {
      const answer = await route.fetch()
      const founders: object[] = await answer.json()
      const additionalInfo = JSON.stringify({ profile_picture_url: picture })
      return route.fulfill({ response: answer, json: founders.map((founder) => ({ ...founder, additionalInfo })) })
    })
    await page.goto(`/founders?search=${name}`)
    return page.getByRole('article', { name, exact: true })
  }

  test('replaces the initial, unless it fails to load', async ({ page, complaints }) => {
    await join(page)
    await test.step('replaces the initial', async () => {
      const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1"/></svg>'
      await page.route('**/picture?fetched=1&size=56', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: drawing }),
      )
      const card = await withPicture(page, '/api/founders/some/picture?fetched=1')
      await expect(card.locator('img')).toHaveAttribute('src', '/api/founders/some/picture?fetched=1&size=56')
      await expect(card.getByText('P', { exact: true })).toHaveCount(0)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('that fails to load is hidden, and the initial replaces it', async () => {
      const card = await withPicture(page, '/api/founders/none/picture?fetched=1')
      await expect(card.getByText('P', { exact: true })).toBeVisible()
      await expect(card.locator('img')).toHaveCount(0)
      await expect.poll(() => complaints.length).toBeGreaterThan(0)
      expectNoComplaintsButOf(complaints, 404)
    })
  })
})
