import type { Page } from '@playwright/test'
import { callApi, expect, join, own, test } from './product.ts'
import { describeRecordJourneys } from './record-journeys.ts'

const COMPANY = { name: 'Tidewater Labs', website: 'https://tidewater.example/', notes: 'Two pilots.' }

describeRecordJourneys({
  noun: 'company',
  nouns: 'companies',
  fields: ['Name', 'Website (optional)', 'Description (optional)', 'Notes'],
  missing: ['Name is required', 'Notes are required'],
  url: {
    field: 'website',
    label: 'Website (optional)',
    sentence: 'Enter a full URL, such as https://example.com',
    link: 'Website',
  },
  typedAfterName: ['https://key.example', 'Boards of keys.', 'Typed.'],
  addButton: 'Add to Portfolio',
  refreshedToast: (name) => `${name} refreshed successfully!`,
  searchPlaceholder: 'Search by name or notes',
  input: COMPANY,
})

test.describe('What only companies have', () => {
  /** Replaces the server's list of companies. */
  const shownAs = async (page: Page, companies: Record<string, unknown>[]) => {
    const { body } = await callApi(page, 'POST', '/companies', { ...COMPANY, name: own('Facts') })
    const rows = companies.map(({ additionalInfo, ...more }, index) => ({
      ...body,
      ...more,
      id: body.id.replace(/.{4}$/, String(index).padStart(4, '0')),
      name: `Company ${index}`,
      additionalInfo: typeof additionalInfo === 'object' ? JSON.stringify(additionalInfo) : additionalInfo,
    }))
    await page.route('**/api/companies?*', (route) =>
      route.fulfill({ json: rows, headers: { 'x-total-count': String(rows.length) } }),
    )
    await page.setViewportSize({ width: 1440, height: 4000 })
    await page.goto('/companies')
    await expect(page.getByRole('article')).toHaveCount(rows.length)
    return (index: number) => page.getByRole('article', { name: `Company ${index}`, exact: true })
  }

  test('facts as text, headquarters as address or city, the typed description before any overview, links, and no malformed data', async ({
    page,
  }) => {
    await join(page)
    await test.step('facts as text, headquarters as address or city, the typed description before any overview, links', async () => {
      const facts = { industry: 'Water', employee_count: 1234, founded_year: 2019, headquarters: 'Lagos, Nigeria' }
      const card = await shownAs(page, [
        { additionalInfo: facts },
        { additionalInfo: { headquarters: { address_formatted: '1 Quay Street, Galway', city: 'Galway' } } },
        { additionalInfo: { headquarters: { city: 'Galway' } } },
        { additionalInfo: { description: 'Finds leaks.' }, description: 'Listens to pipes.' },
        { additionalInfo: { description: 'Finds leaks.' } },
        { additionalInfo: {}, linkedIn: 'https://www.linkedin.com/company/tidewater' },
      ])
      for (const fact of ['Water', /1.?234/, '2019', 'Lagos, Nigeria']) await expect(card(0)).toContainText(fact)
      await expect(card(1)).toContainText('1 Quay Street, Galway')
      await expect(card(2)).toContainText('Galway')
      await expect(card(3)).toContainText('Listens to pipes.')
      await expect(card(3)).not.toContainText('Finds leaks.')
      await expect(card(4)).toContainText('Finds leaks.')
      for (const [name, address] of [
        ['Website', COMPANY.website],
        ['LinkedIn', 'https://www.linkedin.com/company/tidewater'],
      ] as const) {
        await expect(card(5).getByRole('link', { name })).toHaveAttribute('href', address)
      }
    })
    await test.step('malformed additionalInfo breaks nothing', async () => {
      const broken = [
        'no JSON',
        'null',
        '[]',
        '7',
        '{"headquarters":{"city":{}},"industry":[]}',
        '{"industry":{"a":1}}',
      ]
      const card = await shownAs(
        page,
        broken.map((additionalInfo) => ({ additionalInfo })),
      )
      for (const index of broken.keys()) await expect(card(index)).toContainText('Two pilots.')
    })
  })
})
