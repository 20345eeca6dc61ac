import type { Page } from '@playwright/test'
import type { RecordEnrichment } from '#contract/enrichment.ts'
import { callApi, expect, expectAccessible, join, own, test, toast, visit } from './product.ts'
import { addFounder, card } from './records.ts'

const HOUR = 3_600_000

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()
const details = (page: Page) => page.locator('[popover]:popover-open')

type Known = { enrichment: RecordEnrichment; additionalInfo?: string }

const harmonic = { provider: 'Harmonic', at: ago(72 * HOUR) }
const website = { provider: 'the company website', at: ago(96 * HOUR) }
const NEVER: RecordEnrichment = { isRunning: false, sources: {}, lastRun: null }
const ENRICHED: RecordEnrichment = {
  isRunning: false,
  sources: { current_title: harmonic, current_company: harmonic, website },
  lastRun: { at: ago(72 * HOUR), notice: null },
}

/** The enrichment that the server is made to return, by record id. */
const knownOf = new Map<string, Known>()

/** A founder with enrichment, without a provider: the server's responses are changed. `change` changes it again. */
async function founderWith(page: Page, enrichment: RecordEnrichment) {
  const name = own('Known')
  const { id } = await addFounder(page, { name })
  const known: Known = { enrichment }
  knownOf.set(id, known)
  await page.route('**/api/founders?*', async (route) => {
    const answer = await route.fetch()
    const rows: { id: string }[] = await answer.json()
    await route.fulfill({ response: answer, json: rows.map((row) => ({ ...row, ...knownOf.get(row.id) })) })
  })
  await page.route(`**/api/founders/${id}`, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...known } })
  })
  let rating = 1
  return {
    name,
    /** Changes the enrichment as a run does: the live stream reports that the record changed. */
    change: async (news: Known) => {
      Object.assign(known, news)
      rating += 1
      await callApi(page, 'PUT', `/founders/${id}`, { rating })
    },
  }
}

test.describe('Where the data on a card comes from', () => {
  test('is on the card and in toasts, follows the run, and does not move the card in view', { tag: '@slow' }, async ({
    page,
  }) => {
    await join(page)
    await test.step('is named in one line, which lists each field and opens by keyboard', async () => {
      const { name } = await founderWith(page, ENRICHED)
      await visit(page, `/founders?search=${name}`)
      const line = card(page, name).getByRole('button', { name: 'From Harmonic and the company website, 3 days ago' })
      await expect(line).toBeVisible()
      await card(page, name).getByRole('link', { name: 'LinkedIn' }).focus()
      await page.keyboard.press('Tab')
      await expect(line).toBeFocused()
      await expect(details(page).getByRole('listitem')).toHaveText([
        /^Title, company: Harmonic, \d{1,2} \w+ 20\d\d, \d{1,2}:\d\d$/,
        /^Website: the company website, \d{1,2} \w+ 20\d\d, \d{1,2}:\d\d$/,
      ])
      await expect(line).toHaveAccessibleDescription(/Title, company: Harmonic/)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(details(page)).toHaveCount(0)
      await page.keyboard.press('Enter')
      await expect(details(page)).toBeVisible()
      await page.keyboard.press('Tab')
      await expect(details(page)).toHaveCount(0)
    })
    await test.step('opens on hover, and the pointer can move into it', async () => {
      const { name } = await founderWith(page, ENRICHED)
      await visit(page, `/founders?search=${name}`)
      await card(page, name)
        .getByRole('button', { name: /^From Harmonic/ })
        .hover()
      await expect(details(page)).toBeVisible()
      await details(page).getByRole('listitem').last().hover()
      await expect(details(page)).toBeVisible()
      await page.mouse.move(0, 0)
      await expect(details(page)).toHaveCount(0)
    })
    await test.step('is not shown where nothing was found, and shows neither the reason nor which provider has no credits', async () => {
      const never = await founderWith(page, NEVER)
      const lastRun = { at: ago(2 * HOUR), notice: 'No public data found' }
      const found = await founderWith(page, { ...NEVER, lastRun })
      const credits = { at: ago(HOUR), notice: 'Harmonic has no credits left' }
      const { name } = await founderWith(page, { ...ENRICHED, lastRun: credits })
      await visit(page, '/founders')
      for (const record of [never, found]) {
        await expect(card(page, record.name)).toContainText('Met.')
        await expect(card(page, record.name)).not.toContainText(/From|Updating|No public data found/)
      }
      await card(page, name)
        .getByRole('button', { name: /^From Harmonic/ })
        .click()
      await expect(details(page)).toBeVisible()
      await expect(details(page)).not.toContainText('credits')
    })
    await test.step('shows that in place of that line, and fills in by itself', async () => {
      const { name, change } = await founderWith(page, { ...ENRICHED, isRunning: true })
      await visit(page, `/founders?search=${name}`)
      await expect(card(page, name)).toContainText('Updating…')
      await expect(card(page, name).getByRole('button', { name: /^From/ })).toBeHidden()
      await expectAccessible(page)
      const before = await card(page, name).boundingBox()

      await change({ enrichment: ENRICHED })
      await expect(card(page, name).getByRole('button', { name: /^From Harmonic/ })).toBeVisible()
      await expect(card(page, name)).not.toContainText('Updating…')
      expect(await card(page, name).boundingBox()).toEqual(before)

      await change({ enrichment: ENRICHED, additionalInfo: JSON.stringify({ current_title: 'Rear admiral' }) })
      await expect(card(page, name)).toContainText('Rear admiral')
    })
    await test.step('show what a refresh found and which provider has no credits, or that the run continues', async () => {
      const { name } = await founderWith(page, ENRICHED)
      await visit(page, `/founders?search=${name}`)
      const notice = 'Harmonic has no credits left'
      const answers: { status?: number; json: unknown }[] = [
        { json: { success: true, enrichedData: { bio: 'x' }, notice } },
        { status: 202, json: { success: true, pending: true } },
      ]
      await page.route('**/api/founders/*/refresh', (route) => route.fulfill(answers.shift()))
      await page.getByRole('button', { name: `Refresh ${name}` }).click()
      await expect(toast(page, `${name} refreshed with latest LinkedIn data!`)).toBeVisible()
      await expect(toast(page, notice)).toBeVisible()
      await page.getByRole('button', { name: `Refresh ${name}` }).click()
      await expect(toast(page, `Still looking for public data on ${name}. It will appear here.`)).toBeVisible()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('confirm that the record was added, and show the notice of the run', async () => {
      await page.route('**/api/companies', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        const answer = await route.fetch()
        const notice = 'Still looking for public data. It will appear here.'
        await route.fulfill({ response: answer, json: { ...(await answer.json()), notice } })
      })
      await visit(page, '/companies/add')
      await page.getByLabel('Name', { exact: true }).fill(own('Told'))
      await page.getByLabel('Notes').fill('Met.')
      await page.getByRole('button', { name: 'Add to Portfolio' }).click()
      await expect(toast(page, 'Company added successfully!')).toBeVisible()
      await expect(toast(page, 'Still looking for public data.')).toBeVisible()
      await expectAccessible(page)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('does not move the card in view when it grows above it', async () => {
      const looked = own('Looked')
      await addFounder(page, { name: looked })
      for (let index = 0; index < 3; index += 1) await addFounder(page)
      const { name, change } = await founderWith(page, { ...NEVER, isRunning: true })
      await page.setViewportSize({ width: 390, height: 500 })
      await visit(page, '/founders')
      await expect(card(page, name)).toContainText('Updating…')
      await card(page, looked).evaluate((element) => element.scrollIntoView())
      await page.waitForTimeout(300)
      const before = await card(page, looked).boundingBox()
      const request = page.waitForResponse('**/api/founders/*')
      await change({ enrichment: ENRICHED, additionalInfo: JSON.stringify({ bio: 'Compilers. '.repeat(40) }) })
      await request
      await expect(card(page, name)).toContainText('Compilers.')
      await page.waitForTimeout(300)
      const after = await card(page, looked).boundingBox()
      expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThanOrEqual(1)
    })
  })

  test.describe('on a phone', () => {
    test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

    test('is on the page of the record, and opens on a tap, within the screen', async ({ page }) => {
      await join(page)
      const { name } = await founderWith(page, ENRICHED)
      await page.goto(`/founders?search=${name}`)
      const line = page.getByRole('button', { name: /^From Harmonic/ })
      await expect(line).toBeHidden()
      await card(page, name).getByRole('link', { name }).tap()
      await line.tap()
      await expect(details(page)).toBeInViewport({ ratio: 1 })
      await page.getByRole('heading', { level: 1, name }).tap()
      await expect(details(page)).toHaveCount(0)
    })
  })
})

test.describe('A profile picture on a fine screen', () => {
  test.use({ deviceScaleFactor: 2 })

  test('is requested at twice its size', async ({ page }) => {
    await join(page)
    const { name, change } = await founderWith(page, ENRICHED)
    const asked: string[] = []
    await page.route('**/picture?*', (route) => {
      asked.push(new URL(route.request().url()).search)
      return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
    })
    await change({
      enrichment: ENRICHED,
      additionalInfo: JSON.stringify({ profile_picture_url: '/api/founders/0199/picture?t=1763200000000' }),
    })
    await page.goto(`/founders?search=${name}`)
    await expect(card(page, name).locator('img')).toBeVisible()
    await expect.poll(() => asked).toEqual(['?t=1763200000000&size=112'])
  })
})
