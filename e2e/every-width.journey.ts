import { callApi, expect, expectAccessible, expectNoSidewaysScroll, join, test } from './product.ts'

const FOUNDER = { linkedIn: 'https://www.linkedin.com/in/absurd' }

test.describe('At every width, in light and dark', () => {
  const ABSURD = {
    name: `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)} \u0645\u062d\u0645\u062f \u{1f98a}`,
    notes: `${'n'.repeat(400)} ${'words and words '.repeat(100)}`,
  }

  for (const width of [1440, 768, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${width} pixels, ${colorScheme}: no screen scrolls sideways or keeps anyone out`, async ({ page }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 800 })
        await page.goto('/auth')
        await expect(page.getByLabel('Email')).toBeVisible()
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
        await join(page, { name: 'A fellow with a rather long name, longer than most others have' })
        await callApi(page, 'POST', '/founders', { ...FOUNDER, ...ABSURD })
        await callApi(page, 'POST', '/companies', ABSURD)
        for (const path of ['/', '/founders', '/founders/add', '/companies', '/companies/add', '/my-records']) {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
          await expectNoSidewaysScroll(page)
          await expectAccessible(page)
        }
      })
    }
  }
})
