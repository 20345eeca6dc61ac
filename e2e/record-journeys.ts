import type { Page } from '@playwright/test'
import { capital } from '#contract/plain-text.ts'
import { callApi, expect, expectAccessible, join, own, test, toast, today, visit } from './product.ts'

/** The screens of one kind of record. */
type RecordJourneys = {
  noun: string
  nouns: string
  /** Names of the form's text boxes, in order. */
  fields: string[]
  /** The errors of the empty form. */
  missing: string[]
  /**
   * The field of a web address: its key, its label, the error for a value that is no URL, the name of its link on a
   * card.
   */
  url: { field: string; label: string; sentence: string; link: string }
  typedAfterName: string[]
  addButton: string
  refreshedToast: (name: string) => string
  searchPlaceholder: string
  input: Record<string, unknown> & { notes: string }
}

/** Journeys that differ by kind of record; `records.journey.ts` has those that all kinds share. */
export function describeRecordJourneys(kind: RecordJourneys) {
  const path = `/${kind.nouns}`
  const [Noun, Nouns] = [capital(kind.noun), capital(kind.nouns)]
  const add = async (page: Page, overrides: Record<string, unknown>) =>
    (await callApi(page, 'POST', path, { ...kind.input, ...overrides })).body
  const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

  test.describe(`Add ${Noun}`, () => {
    test('has its fields, says what is missing, and works by keyboard alone', async ({ page }) => {
      await join(page)
      await test.step(`has ${kind.fields.join(', ')} and a 10-star rating that is 5, Cancel and ${kind.addButton}`, async () => {
        await visit(page, `${path}/add`)
        for (const label of kind.fields) await expect(page.getByRole('textbox', { name: label })).toBeVisible()
        await expect(page.getByRole('radio')).toHaveCount(10)
        await expect(page.getByRole('radio', { name: '5 of 10' })).toBeChecked()
        await expect(
          page.getByRole('button', { name: 'Cancel' }).or(page.getByRole('link', { name: 'Cancel' })),
        ).toBeVisible()
        await expect(page.getByRole('button', { name: kind.addButton })).toBeVisible()
      })
      await test.step('shows each missing value at its field, sends nothing, and works by keyboard alone', async () => {
        await visit(page, `${path}/add`)
        await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
        let sent = 0
        page.on('request', (request) => {
          if (request.method() === 'POST' && request.url().endsWith(`/api${path}`)) sent += 1
        })
        await page.getByRole('button', { name: kind.addButton }).click()
        for (const sentence of kind.missing) await expect(page.getByText(sentence)).toBeVisible()
        await page.getByLabel(kind.url.label).fill('not an address')
        await page.getByRole('button', { name: kind.addButton }).click()
        await expect(page.getByText(kind.url.sentence)).toBeVisible()
        expect(sent).toBe(0)
        await page.getByLabel(kind.url.label).fill('')

        const name = own('Key Board')
        await page.getByLabel('Name', { exact: true }).focus()
        await page.keyboard.type(name)
        for (const typed of kind.typedAfterName) {
          await page.keyboard.press('Tab')
          await page.keyboard.type(typed)
        }
        await page.keyboard.press('Tab')
        for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowRight')
        await expect(page.getByRole('radio', { name: '8 of 10' })).toBeChecked()
        await page.keyboard.press('Enter')
        await expect(toast(page, `${Noun} added successfully!`)).toBeVisible()
        await expect(page).toHaveURL(path)
        await expect(card(page, name)).toContainText('8/10')
      })
    })
  })

  test.describe(`Search ${Nouns}`, () => {
    test('says what to do without records, finds them, and refreshes them', { tag: '@slow' }, async ({ page }) => {
      await join(page, { name: 'Ada Lovelace' })
      await test.step(`without records says Start Sourcing ${Nouns}, without a match No ${kind.nouns} found`, async () => {
        await page.route(`**/api${path}?*`, (route) => route.fulfill({ json: [], headers: { 'x-total-count': '0' } }))
        await visit(page, path)
        await expect(page.getByText(`Start Sourcing ${Nouns}`)).toBeVisible()
        const button = page.getByRole('main').getByRole('link', { name: `Add ${Noun}` })
        await expect(button.last()).toHaveAttribute('href', `${path}/add`)
        await page.getByPlaceholder(kind.searchPlaceholder).fill('missing')
        await expect(page.getByText(`No ${kind.nouns} found`)).toBeVisible()
        await expect(page.getByText('Try adjusting your search terms')).toBeVisible()
        await expectAccessible(page)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      })
      await test.step('searches by name and notes; cards show original notes, creator, date, links and rating', async () => {
        const [word, name] = [own('Both'), own('Grace')]
        await add(page, { name, rating: 7, notes: `${kind.input.notes} ${word}.` })
        await add(page, { name: `${word} by name` })
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Search ${Nouns}`)
        const button = page.getByRole('main').getByRole('link', { name: `Add ${Noun}` })
        await expect(button).toHaveAttribute('href', `${path}/add`)
        await page.getByPlaceholder(kind.searchPlaceholder).fill(word.toLowerCase())
        await expect(page.getByText(`2 ${kind.nouns}`)).toBeVisible()
        await expect(page.getByRole('article')).toHaveCount(2)
        const shown = card(page, name)
        await expect(shown).toContainText('Original Notes')
        await expect(shown).toContainText(kind.input.notes)
        await expect(shown).toContainText(`Added by Ada Lovelace · ${today()}`)
        await expect(shown).toContainText('7/10')
        const link = shown.getByRole('link', { name: kind.url.link })
        await expect(link).toHaveAttribute('href', kind.input[kind.url.field] as string)
        await expect(link).toHaveAttribute('rel', /noopener|noreferrer/)
      })
      await test.step('a refresh that finds data says so, and reloads the list', async () => {
        const name = own('Found')
        await add(page, { name })
        await visit(page, `${path}?search=${name}`)
        await page.route(`**/api${path}/*/refresh`, (route) =>
          route.fulfill({ json: { success: true, enrichedData: { bio: 'x' } } }),
        )
        await card(page, name)
          .getByRole('button', { name: /^Refresh/ })
          .click()
        await expect(toast(page, kind.refreshedToast(name))).toBeVisible()
        await expect(card(page, name)).toBeVisible()
      })
    })
  })
}
