import { callApi, expect, expectAccessible, expectNoSidewaysScroll, join, SCREENS, test } from './product.ts'

const FOUNDER = { linkedIn: 'https://www.linkedin.com/in/absurd' }

test.describe('At every width', () => {
  const ABSURD = {
    name: `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)} \u0645\u062d\u0645\u062f \u{1f98a}`,
    notes: `${'n'.repeat(400)} ${'words and words '.repeat(100)}`,
  }

  // Every screen and dialog is held against axe in both schemes by the journey that is about it, at its usual width.
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [768, 'dark'],
    [390, 'dark'],
    // The narrowest that WCAG asks for: 1280 pixels at four times their size.
    [320, 'light'],
  ] as const) {
    test(`${width} pixels: no screen scrolls sideways or keeps anyone out`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/auth')
      await expect(page.getByLabel('Email')).toBeVisible()
      await expectNoSidewaysScroll(page)
      await join(page, { name: 'A fellow with a rather long name, longer than most others have' })
      await callApi(page, 'POST', '/founders', { ...FOUNDER, ...ABSURD })
      await callApi(page, 'POST', '/companies', ABSURD)
      for (const path of SCREENS) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
        await expectNoSidewaysScroll(page)
        if (width < 768) await expectAccessible(page, [colorScheme])
      }
    })
  }
})
