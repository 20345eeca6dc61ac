import type { Page } from '@playwright/test'
import { expect, expectNoComplaintsButOf, failWith, join, own, test, toast, visit } from './product.ts'
import { addCompany } from './records.ts'

/** For how many milliseconds the next toast with this text is shown, as the page itself sees it. */
const timeOfToast = (page: Page, text: string) =>
  page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        let began: number | undefined
        const observer = new MutationObserver(() => {
          const shown = [...document.querySelectorAll('[role=status], [role=alert]')]
          if (shown.some(({ textContent }) => textContent.includes(text))) began ??= performance.now()
          else if (began !== undefined) resolve(performance.now() - began)
        })
        observer.observe(document.body, { childList: true, characterData: true, subtree: true })
      }),
    text,
  )

test.describe('Toasts', () => {
  test('last their full time across screens, unless they are about failures of the screen that is left', async ({
    page,
    complaints,
  }) => {
    await join(page)
    await test.step('last their full time across screens', async () => {
      await visit(page, '/companies/add')
      await page.getByLabel('Name', { exact: true }).fill(own('Lasting'))
      await page.getByLabel('Notes').fill('Met.')
      const time = timeOfToast(page, 'Company added successfully!')
      await page.getByRole('button', { name: 'Add to Portfolio' }).click()
      await page.waitForURL(/companies(?!\/add)/)
      await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
      await expect(page).toHaveURL('/')
      expect(await time).toBeGreaterThan(2300)
    })
    await test.step('about failures close with their screen', async () => {
      const { name } = await addCompany(page)
      await visit(page, `/companies?search=${name}`)
      await failWith(page, '/companies/*/refresh', 500, {})
      await page.getByRole('button', { name: `Refresh ${name}` }).click()
      const failure = toast(page, 'Failed to refresh company data')
      await expect(failure).toBeVisible()
      await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
      await expect(failure).toBeHidden({ timeout: 1500 })
      expectNoComplaintsButOf(complaints, 500)
    })
  })

  test('on a phone are top right over the top bar, and not over the title; a success does not cover an error', async ({
    page,
    complaints,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await join(page)
    const { name } = await addCompany(page)
    await page.goto(`/companies?search=${name}`)
    const error = 'None of the sources that are set up can look up this record: its address names no profile.'
    await page.route('**/api/companies/*/refresh', (route) => route.fulfill({ json: { success: false, error } }))
    await page.getByRole('button', { name: `Refresh ${name}` }).click()
    const shown = toast(page, error)
    await expect(shown).toBeVisible()
    await page.waitForTimeout(300)
    const place = await shown.boundingBox()
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    if (!place || !title) throw new Error('Not all are drawn')
    expect(place.x + place.width).toBeGreaterThan(390 - 24)
    expect(place.y).toBeLessThan(56)
    expect(place.y + place.height).toBeLessThanOrEqual(title.y)
    expect((await page.getByText(error).boundingBox())?.height, 'three lines').toBe(54)
    await failWith(page, '/companies/*/refresh', 500, {})
    await page.getByRole('button', { name: `Refresh ${name}` }).click()
    const failure = toast(page, 'Failed to refresh company data')
    await expect(failure).toBeVisible()
    await page.route('**/api/companies/*/refresh', (route) =>
      route.fulfill({ json: { success: true, enrichedData: { bio: 'x' } } }),
    )
    await page.getByRole('button', { name: `Refresh ${name}` }).click()
    await expect(toast(page, `${name} refreshed successfully!`)).toBeVisible()
    await page.waitForTimeout(300)
    const isInFront = await failure.evaluate((element) => {
      const { x, y, width } = element.getBoundingClientRect()
      return element.contains(document.elementFromPoint(x + width / 2, y + 20))
    })
    expect(isInFront, 'the error is in front of the success').toBe(true)
    expectNoComplaintsButOf(complaints, 500)
  })
})
