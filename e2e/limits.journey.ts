import type { Page } from '@playwright/test'
import { callApi, expect, freshAddress, join, own, PASSWORD, test, toast } from './product.ts'

// Section 9 of the specification, where only a browser shows it.

const FOUNDER = { linkedIn: 'https://www.linkedin.com/in/t', notes: 'Met.' }

/** How long something stays, in milliseconds, once it is there. */
async function stayOf(page: Page, text: string) {
  await expect(toast(page, text)).toBeVisible()
  const began = Date.now()
  await expect(toast(page, text)).toBeHidden()
  return Date.now() - began
}

test.describe('Business constants and limits', () => {
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

  test('Delay after founder refresh before reload: 500 ms', async ({ page }) => {
    await join(page)
    const name = own('Delay')
    await callApi(page, 'POST', '/founders', { ...FOUNDER, name })
    await page.goto(`/founders?search=${name}`)
    await page.route('**/api/founders/*/refresh', (route) =>
      route.fulfill({ json: { success: true, enrichedData: {} } }),
    )
    const card = page.getByRole('article', { name, exact: true })
    const answered = page.waitForResponse('**/api/founders/*/refresh').then(() => Date.now())
    await card.getByRole('button', { name: /^Refresh/ }).click()
    const at = await answered
    await page.waitForRequest(/\/api\/founders\?/)
    expect(Date.now() - at).toBeGreaterThanOrEqual(450)
  })

  test('Toast position: top-right; success 3 s, default and error 4 s', async ({ page }) => {
    await join(page)
    const name = own('Toast')
    await callApi(page, 'POST', '/founders', { ...FOUNDER, name })
    await page.goto(`/founders?search=${name}`)
    const button = page.getByRole('article', { name, exact: true }).getByRole('button', { name: /^Refresh/ })
    await button.click()
    const sentence = 'No source of outside data is set up, so nothing was looked up'
    await expect(toast(page, sentence)).toBeVisible()
    const place = await toast(page, sentence).boundingBox()
    expect(place && place.x + place.width).toBeGreaterThan(1440 - 60)
    expect(place?.y).toBeLessThan(160)
    expect(await stayOf(page, sentence)).toBeGreaterThan(3000)

    await page.route('**/api/founders/*/refresh', (route) =>
      route.fulfill({ json: { success: true, enrichedData: {} } }),
    )
    await button.click()
    const stay = await stayOf(page, `${name} refreshed with latest LinkedIn data!`)
    expect(stay).toBeGreaterThan(2300)
    expect(stay).toBeLessThan(4500)
  })

  test('A loading state, once shown, stays for 100 to 200 ms at least', async ({ page }) => {
    await join(page)
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    const shown = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let since = 0
          new MutationObserver(() => {
            const isLoading = document.querySelector('main [aria-busy="true"]') !== null
            if (isLoading && since === 0) since = performance.now()
            if (!isLoading && since > 0) resolve(performance.now() - since)
          }).observe(document.body, { subtree: true, childList: true, attributes: true })
        }),
    )
    await page.getByRole('navigation').getByRole('link', { name: 'Search Founders' }).click()
    expect(await shown).toBeGreaterThanOrEqual(100)
  })
})

test.describe('A profile picture', () => {
  const withPicture = async (page: Page, picture: string) => {
    await join(page)
    const name = own('Pictured')
    await callApi(page, 'POST', '/founders', { ...FOUNDER, name })
    await page.route('**/api/founders?*', async (route) => {
      const answer = await route.fetch()
      const [founder] = await answer.json()
      const additionalInfo = JSON.stringify({ profile_picture_url: picture })
      return route.fulfill({ response: answer, json: [{ ...founder, additionalInfo }] })
    })
    await page.goto(`/founders?search=${name}`)
    return page.getByRole('article', { name, exact: true })
  }

  test('that fails to load is hidden, and the initial stands in its place', async ({ page, complaints }) => {
    const card = await withPicture(page, '/api/founders/none/picture?fetched=1')
    await expect(card.getByText('P', { exact: true })).toBeVisible()
    await expect(card.locator('img')).toHaveCount(0)
    expect(complaints.every((line) => line.includes('404'))).toBe(true)
    complaints.length = 0
  })

  for (const picture of [
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'https://x/" onerror="alert(1)',
  ]) {
    test(`of ${picture.slice(0, 24)} never reaches an image`, async ({ page }) => {
      const card = await withPicture(page, picture)
      await expect(card.getByText('P', { exact: true })).toBeVisible()
      await expect(card.locator('img')).toHaveCount(0)
    })
  }
})
