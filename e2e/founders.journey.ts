import type { Page } from '@playwright/test'
import { callApi, expect, join, own, test, toast } from './product.ts'
import { describeRecordJourneys } from './record-journeys.ts'

const FOUNDER = { name: 'Grace Hopper', linkedIn: 'https://www.linkedin.com/in/grace-hopper', notes: 'Compilers.' }

describeRecordJourneys({
  noun: 'founder',
  nouns: 'founders',
  fields: ['Name', 'LinkedIn profile', 'Notes'],
  missing: ['Name is required', 'LinkedIn profile is required', 'Notes are required'],
  url: {
    field: 'linkedIn',
    label: 'LinkedIn profile',
    sentence: 'Enter a full URL, such as https://www.linkedin.com/in/…',
    link: 'LinkedIn',
  },
  typedAfterName: ['https://www.linkedin.com/in/key', 'Typed.'],
  addButton: 'Add to Network',
  enrichedToast: 'Founder added and enriched with LinkedIn data!',
  refreshedToast: (name) => `${name} refreshed with latest LinkedIn data!`,
  searchPlaceholder: 'Search by name, notes, or company',
  input: FOUNDER,
})

test.describe('What only founders have', () => {
  const shownWith = async (page: Page, additionalInfo: object) => {
    await join(page)
    const name = own('Known')
    await callApi(page, 'POST', '/founders', { ...FOUNDER, name })
    await page.route('**/api/founders?*', async (route) => {
      const answer = await route.fetch()
      const [founder] = await answer.json()
      const known = { ...founder, additionalInfo: JSON.stringify(additionalInfo) }
      return route.fulfill({ response: answer, json: [known] })
    })
    await page.goto(`/founders?search=${name}`)
    return page.getByRole('article', { name, exact: true })
  }

  test('cards show current title, current company, bio, and the links LinkedIn, Email and Website', async ({
    page,
  }) => {
    const card = await shownWith(page, {
      current_title: 'Rear Admiral',
      current_company: 'US Navy',
      bio: 'Wrote the first compiler.',
      email: 'grace@navy.example',
      website: 'https://grace.example/',
    })
    await expect(card).toContainText('Rear Admiral · US Navy')
    await expect(card).toContainText('Wrote the first compiler.')
    for (const [label, address] of [
      ['LinkedIn', FOUNDER.linkedIn],
      ['Email', 'mailto:grace@navy.example'],
      ['Website', 'https://grace.example/'],
    ] as const) {
      await expect(card.getByRole('link', { name: label })).toHaveAttribute('href', address)
    }
  })

  test('cards show the initial where there is no picture, and nothing in the place of what is not known', async ({
    page,
  }) => {
    const card = await shownWith(page, {})
    await expect(card.getByText('K', { exact: true })).toBeVisible()
    await expect(card.getByRole('link')).toHaveText(['LinkedIn'])
  })

  test('after a refresh the list is emptied, waits 500 ms and reloads', async ({ page }) => {
    await join(page)
    const name = own('Found')
    await callApi(page, 'POST', '/founders', { ...FOUNDER, name })
    await page.goto(`/founders?search=${name}`)
    await page.route('**/api/founders/*/refresh', (route) =>
      route.fulfill({ json: { success: true, enrichedData: { bio: 'x' } } }),
    )
    const card = page.getByRole('article', { name, exact: true })
    await card.getByRole('button', { name: /^Refresh/ }).click()
    await expect(toast(page, `${name} refreshed with latest LinkedIn data!`)).toBeVisible()
    await expect(card).toBeHidden()
    await expect(card).toBeVisible()
  })
})
