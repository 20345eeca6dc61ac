import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, join, SCREENS, test } from './product.ts'

const FORMS = ['/founders/add', '/companies/add', '/account', '/share', '/duplicates/merge']

const FOUNDER = { linkedIn: 'https://www.linkedin.com/in/absurd' }

test.describe('At every width', () => {
  const ABSURD = {
    name: `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)} \u0645\u062d\u0645\u062f \u{1f98a}`,
    notes: `${'n'.repeat(400)} ${'words and words '.repeat(100)}`,
  }

  // The journey of each screen and dialog checks it with axe in both colour schemes, at its usual width.
  const WIDTHS = [
    [1440, 'light'],
    [768, 'dark'],
    [390, 'dark'],
    // The narrowest that WCAG asks for: 1280 pixels at four times their size.
    [320, 'light'],
  ] as const

  const expectToFit = async (page: Page) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const [width, colorScheme] of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectNoSidewaysScroll(page)
      if (width < 768) await expectAccessible(page, [colorScheme])
    }
  }

  for (const [screens, paths] of [
    ['lists', SCREENS.filter((path) => !FORMS.includes(path)).map((path) => `${path}?search=Wolfeschlegel`)],
    ['forms', FORMS],
  ] as const) {
    test(`no screen scrolls sideways or fails the accessibility check: ${screens}`, async ({ page }) => {
      await page.goto('/auth')
      await expectToFit(page)
      await join(page, { name: 'A fellow with a rather long name, longer than most others have' })
      await callApi(page, 'POST', '/founders', { ...FOUNDER, ...ABSURD })
      await callApi(page, 'POST', '/companies', ABSURD)
      for (const path of paths) {
        await page.setViewportSize({ width: 1440, height: 800 })
        await page.goto(path)
        await expectToFit(page)
      }
    })
  }
})
