import type { Page } from '@playwright/test'
import { callApi, expect, join, own, test } from './product.ts'

// The page must withstand any data that fellows and providers can put into records.

const SCRIPTS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "'><img src=x onerror=alert(1)>",
  '<svg onload=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<body onload=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<object data="javascript:alert(1)"></object>',
  '<style>*{background:url("//evil.example/x")}</style>',
  '<link rel=stylesheet href=//evil.example/x>',
  '<base href=//evil.example/>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '{{constructor.constructor("alert(1)")()}}',
  '#{alert(1)} <%= alert(1) %> [[alert(1)]]',
  'javascript:alert(1)//',
  '</textarea></title><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
]

const ADDRESSES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '//evil.example',
  'http:evil',
  'file:///etc/passwd',
  'https://x/" onclick="alert(1)',
]

const PICTURES = [
  'javascript:alert(1)',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'https://x/" onerror="alert(1)',
  'https://evil.example/x.png?a=b#c',
  'http://evil.example/x.png',
  `https://evil.example/${'a'.repeat(100_000)}`,
  '/api/auth/logout?x=/picture',
]

const ODD_INFO = [
  'no JSON',
  'null',
  '[]',
  '7',
  '""',
  '{"__proto__":{"bio":"polluted","industry":"polluted"}}',
  '{"headquarters":{"city":{}},"current_title":{"a":1},"bio":["x"],"industry":[],"founded_year":{}}',
  '{"headquarters":null,"bio":null,"employee_count":"\\u0000"}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
]

/** The server would refuse this size. It comes last, because its card is higher than any screen. */
const HUGE_INFO = JSON.stringify({ bio: 'b'.repeat(1_000_000), industry: 'i'.repeat(1_000_000) })

type Json = Record<string, unknown>

/** Replaces the server's list with this one, in a window so high that every card is rendered. */
async function showInstead(page: Page, nouns: 'founders' | 'companies', wishes: Json[]) {
  const known = { linkedIn: 'https://linkedin.com/in/x', notes: 'n' }
  const { body } = await callApi(page, 'POST', `/${nouns}`, { ...known, name: own('Hostile') })
  const idOf = (index: number) => `${body.id.slice(0, -4)}${String(index).padStart(4, '0')}`
  const records = wishes.map((wish, index) => ({ ...body, name: `Record ${index}`, ...wish, id: idOf(index) }))
  await page.route(`**/api/${nouns}?*`, (route) =>
    route.fulfill({ json: records, headers: { 'x-total-count': String(records.length) } }),
  )
  await page.setViewportSize({ width: 1440, height: 30_000 })
  await page.goto(`/${nouns}`)
  await expect(page.getByRole('article')).toHaveCount(records.length)
  return page.getByRole('article')
}

/** No data became markup or script, and the content security policy blocked nothing. */
async function expectInert(page: Page) {
  const made = await page
    .locator('main')
    .evaluate((main) =>
      [...main.querySelectorAll('*')].flatMap((element) => [
        ...(/^(script|iframe|object|embed|base|meta|link|style|math|form)$/i.test(element.tagName)
          ? [element.tagName]
          : []),
        ...[...element.attributes].filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
      ]),
    )
  expect(made).toEqual([])
  expect(await page.evaluate(() => (window as unknown as { violations: string[] }).violations)).toEqual([])
  const addresses = await page
    .locator('main a[href]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol))
  expect(addresses.filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol))).toEqual([])
  for (const source of await page
    .locator('main img')
    .evaluateAll((all) => all.map((image) => image.getAttribute('src')))) {
    expect(source).toMatch(/^\/api\//)
  }
}

const noteOf = (content: string) => ({
  id: '01900000-0000-7000-8000-000000000001',
  content,
  author: content.slice(0, 100),
  authorEmail: 'a@mit.edu',
  createdAt: new Date().toISOString(),
})

/** A record with this text in every field. */
const filledWith = (text: string): Json => ({
  name: text,
  notes: text,
  description: text,
  createdBy: text,
  additionalInfo: JSON.stringify({
    current_title: text,
    current_company: text,
    bio: text,
    email: text,
    industry: text,
    headquarters: { address_formatted: text },
    description: text,
    employee_count: text,
  }),
  notesCount: 1,
  notesPreview: [noteOf(text)],
})

/** Lists every violation of the content security policy, on each page that is loaded. */
const watchPolicy = (page: Page) =>
  page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { violations: seen })
    document.addEventListener('securitypolicyviolation', (event) =>
      seen.push(`${event.violatedDirective} ${event.blockedURI}`),
    )
  })

for (const nouns of ['founders', 'companies'] as const) {
  test.describe(`What a card of ${nouns} shows`, () => {
    test('stays text, and breaks no list, whatever its fields contain', async ({ page }) => {
      await watchPolicy(page)
      await join(page)
      page.on('dialog', (dialog) => {
        throw new Error(`A script ran: ${dialog.message()}`)
      })
      await test.step('is text, whatever its fields contain', async () => {
        const cards = await showInstead(page, nouns, SCRIPTS.map(filledWith))
        for (const [index, script] of SCRIPTS.entries()) {
          await expect(cards.nth(index).getByRole('heading', { level: 2 })).toHaveText(script)
          await expect(cards.nth(index)).toContainText(script)
        }
        await expectInert(page)
      })
      await test.step('has no link where the address is invalid', async () => {
        await showInstead(
          page,
          nouns,
          ADDRESSES.map((address) => ({
            linkedIn: address,
            website: address,
            additionalInfo: JSON.stringify({ website: address, email: address }),
          })),
        )
        await expectInert(page)
        const hrefs = await page
          .locator('main article a[href]')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
        expect(hrefs.filter((href) => /script|evil|data:|passwd/i.test(href ?? ''))).toEqual([])
      })
      await test.step('is unaffected by one malformed record', async () => {
        const cards = await showInstead(page, nouns, [
          ...ODD_INFO.map((additionalInfo) => ({ additionalInfo })),
          ...PICTURES.map((picture) => ({ additionalInfo: JSON.stringify({ profile_picture_url: picture }) })),
          { name: 'All is well' },
          { additionalInfo: HUGE_INFO },
        ])
        await expect(cards.getByRole('heading', { name: 'All is well', level: 2 })).toBeVisible()
        await expect(page.locator('main')).not.toContainText('polluted')
        await expectInert(page)
      })
    })
  })
}

test('Notes are text too, and keep their author', async ({ page }) => {
  const { name } = await join(page, { name: '<img src=x onerror=alert(1)>' })
  const { body } = await callApi(page, 'POST', '/founders', {
    name: own('Noted'),
    linkedIn: 'https://linkedin.com/in/noted',
    notes: 'n',
  })
  for (const script of SCRIPTS) await callApi(page, 'POST', `/notes/founder/${body.id}`, { content: script })
  await page.goto('/my-records')
  await page.getByRole('button', { name: /View all \d+ notes/ }).click()
  const dialog = page.getByRole('dialog')
  for (const script of SCRIPTS.slice(-8)) await expect(dialog.getByText(script, { exact: true })).toBeVisible()
  await expect(dialog.getByText(name, { exact: true }).first()).toBeVisible()
  expect(await dialog.locator('img, script, iframe, object').count()).toBe(0)
})

test.describe('An address that points to another site', () => {
  test('leads to the dashboard, in every parameter', async ({ page, baseURL }) => {
    await join(page)
    for (const next of [
      '//evil.example',
      '/\\evil.example',
      'https:evil.example',
      'https://evil.example',
      'javascript:alert(1)',
    ]) {
      const parameters = ['next', 'redirect', 'returnTo', 'url'].map((name) => [name, next])
      await page.goto(`/auth?${new URLSearchParams(parameters)}`)
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
      expect(new URL(page.url()).origin).toBe(baseURL)
    }
  })

  test('is treated as a path of the page when it begins with two slashes', async ({ page, baseURL }) => {
    for (const path of ['//evil', '/\\evil', '/%2f%2fevil']) {
      await page.goto(`${baseURL}${path}`)
      await expect(page.getByLabel('Email')).toBeVisible()
      expect(new URL(page.url()).origin).toBe(baseURL)
    }
  })
})
