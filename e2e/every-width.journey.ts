import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectAccessibleInForcedColors,
  expectNoSidewaysScroll,
  join,
  PASSWORD,
  SCREENS,
  SOME_ID,
  test,
  visit,
} from './product.ts'

const FORMS = ['/founders/add', '/companies/add', '/account', '/share', '/duplicates/merge', '/import']

/** Lists in another form. */
const VIEWS = ['/founders?view=table', '/founders?ratingMin=1&sort=rating', '/my-figures']

const FOUNDER = { linkedIn: 'https://www.linkedin.com/in/absurd' }

test.describe('At every width', () => {
  const ABSURD = {
    name: `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)} \u0645\u062d\u0645\u062f \u{1f98a}`,
    notes: `${'n'.repeat(400)} ${'words and words '.repeat(100)}`,
  }

  /** The last is the narrowest that WCAG asks for: 1280 pixels at four times their size. */
  const WIDTHS = [1440, 768, 390, 320]

  /** The states of the screens are here once, with absurd data: at each width, and with axe in both schemes on two, in forced colours on one. */
  const expectToFit = async (page: Page) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectNoSidewaysScroll(page)
      if (width === 1440 || width === 390) await expectAccessible(page)
      if (width === 390) await expectAccessibleInForcedColors(page)
    }
  }

  for (const [screens, paths] of [
    [
      'lists',
      [...SCREENS.filter((path) => !FORMS.includes(path)).map((path) => `${path}?search=Wolfeschlegel`), ...VIEWS],
    ],
    ['forms', FORMS],
  ] as const) {
    test(`no screen scrolls sideways or fails the accessibility check: ${screens}`, { tag: '@slow' }, async ({
      page,
      openCaller,
    }) => {
      await page.goto('/auth')
      if (screens === 'forms') await expectToFit(page)
      const { email } = await join(page, { name: 'A fellow with a rather long name, longer than most others have' })
      const elsewhere = await openCaller({ userAgent: 'UnbrokenNameOfADevice'.repeat(12) })
      await callApi(elsewhere, 'GET', '/auth/me')
      await callApi(elsewhere, 'POST', '/auth/login', { email, password: PASSWORD })
      const ids: Record<string, string> = {
        founders: (await callApi(page, 'POST', '/founders', { ...FOUNDER, ...ABSURD })).body.id,
        companies: (await callApi(page, 'POST', '/companies', { ...ABSURD, name: `Firm ${ABSURD.name}` })).body.id,
      }
      for (const [path, field] of [
        ['founders', 'bio'],
        ['companies', 'description'],
      ] as const)
        await callApi(page, 'PATCH', `/${path}/${ids[path]}`, { [field]: 'long words '.repeat(400), version: 1 })
      const waiting = { kind: 'founder', values: ABSURD, key: 'absurd', refusal: ABSURD.name }
      await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
        `waiting:${email}:${Date.now()}.1`,
        JSON.stringify(waiting),
      ] as const)
      let title = ''
      for (const path of paths)
        await test.step(path, async () => {
          await visit(page, path.replace(SOME_ID, ids[path.split('/')[1] ?? ''] ?? ''))
          // Not the screen before, unless it is the same one in another form.
          if (!VIEWS.includes(path)) await expect(page).not.toHaveTitle(title)
          await expectToFit(page)
          title = await page.title()
        })
    })
  }
})
