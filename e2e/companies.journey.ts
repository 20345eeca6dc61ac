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
  enrichedToast: 'Company added and enriched with business data!',
  refreshedToast: (name) => `${name} refreshed successfully!`,
  searchPlaceholder: 'Search by name or notes',
  input: COMPANY,
})

test.describe('What only companies have', () => {
  const shownWith = async (page: Parameters<typeof join>[0], additionalInfo: unknown, more: object = {}) => {
    await join(page)
    const name = own('Facts')
    await callApi(page, 'POST', '/companies', { ...COMPANY, name })
    await page.route('**/api/companies?*', async (route) => {
      const answer = await route.fetch()
      const [company] = await answer.json()
      const text = typeof additionalInfo === 'string' ? additionalInfo : JSON.stringify(additionalInfo)
      return route.fulfill({ response: answer, json: [{ ...company, ...more, additionalInfo: text }] })
    })
    await page.goto(`/companies?search=${name}`)
    return page.getByRole('article', { name, exact: true })
  }

  test('industry, employee count, founded year and headquarters as text', async ({ page }) => {
    const facts = { industry: 'Water', employee_count: 1234, founded_year: 2019, headquarters: 'Lagos, Nigeria' }
    const card = await shownWith(page, facts)
    for (const fact of ['Water', /1.?234/, '2019', 'Lagos, Nigeria']) await expect(card).toContainText(fact)
  })

  test('headquarters as a formatted address, or a city', async ({ page }) => {
    const card = await shownWith(page, { headquarters: { address_formatted: '1 Quay Street, Galway', city: 'Galway' } })
    await expect(card).toContainText('1 Quay Street, Galway')
  })

  test('headquarters as a city alone', async ({ page }) => {
    await expect(await shownWith(page, { headquarters: { city: 'Galway' } })).toContainText('Galway')
  })

  test('the description that was typed, before any overview', async ({ page }) => {
    const card = await shownWith(page, { description: 'Finds leaks.' }, { description: 'Listens to pipes.' })
    await expect(card).toContainText('Listens to pipes.')
    await expect(card).not.toContainText('Finds leaks.')
  })

  test('links to Website and LinkedIn', async ({ page }) => {
    const card = await shownWith(page, {}, { linkedIn: 'https://www.linkedin.com/company/tidewater' })
    await expect(card.getByRole('link', { name: 'Website' })).toHaveAttribute('href', COMPANY.website)
    await expect(card.getByRole('link', { name: 'LinkedIn' })).toHaveAttribute(
      'href',
      'https://www.linkedin.com/company/tidewater',
    )
  })

  test('the overview where no description was typed', async ({ page }) => {
    await expect(await shownWith(page, { description: 'Finds leaks.' })).toContainText('Finds leaks.')
  })

  test('additionalInfo that is not as it should be breaks nothing', async ({ page }) => {
    const broken = ['no JSON', 'null', '[]', '7', '{"headquarters":{"city":{}},"industry":[]}', '{"industry":{"a":1}}']
    for (const additionalInfo of broken) {
      await expect(await shownWith(page, additionalInfo)).toContainText('Two pilots.')
      await page.unroute('**/api/companies?*')
      // The page may be about to open its live stream, and would get a 401.
      await page.goto('about:blank')
      await page.context().clearCookies()
    }
  })
})
