import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, join, SCREENS, SOME_ID, test } from './product.ts'

const FORMS = ['/founders/add', '/companies/add', '/account', '/share', '/duplicates/merge']

const FOUNDER = { linkedIn: 'https://www.linkedin.com/in/absurd' }

test.describe('At every width', () => {
  const ABSURD = {
    name: `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)} \u0645\u062d\u0645\u062f \u{1f98a}`,
    notes: `${'n'.repeat(400)} ${'words and words '.repeat(100)}`,
  }

  /** The last is the narrowest that WCAG asks for: 1280 pixels at four times their size. */
  const WIDTHS = [1440, 768, 390, 320]

  const expectToFit = async (page: Page) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectNoSidewaysScroll(page)
      // The journey of each screen and dialog checks it with axe at its usual width, in both colour schemes.
      if (width === 390) await expectAccessible(page, ['dark'])
    }
  }

  for (const [screens, paths] of [
    ['lists', SCREENS.filter((path) => !FORMS.includes(path)).map((path) => `${path}?search=Wolfeschlegel`)],
    ['forms', FORMS],
  ] as const) {
    test(`no screen scrolls sideways or fails the accessibility check: ${screens}`, async ({ page }) => {
      await page.goto('/auth')
      await expectToFit(page)
      const { email } = await join(page, { name: 'A fellow with a rather long name, longer than most others have' })
      const ids: Record<string, string> = {
        founders: (await callApi(page, 'POST', '/founders', { ...FOUNDER, ...ABSURD })).body.id,
        companies: (await callApi(page, 'POST', '/companies', ABSURD)).body.id,
      }
      const waiting = { kind: 'founder', values: ABSURD, key: 'absurd', refusal: ABSURD.name }
      await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
        `waiting:${email}:${Date.now()}.1`,
        JSON.stringify(waiting),
      ] as const)
      for (const path of paths) {
        await page.setViewportSize({ width: 1440, height: 800 })
        await page.goto(path.replace(SOME_ID, ids[path.split('/')[1] ?? ''] ?? ''))
        await expectToFit(page)
      }
    })
  }
})
