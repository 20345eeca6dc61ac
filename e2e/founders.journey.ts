import { callApi, expect, join, own, test, toast } from './product.ts'
import { describeRecordJourneys } from './record-journeys.ts'

const FOUNDER = { name: 'Grace Hopper', linkedIn: 'https://www.linkedin.com/in/grace-hopper', notes: 'Compilers.' }

describeRecordJourneys({
  noun: 'founder',
  nouns: 'founders',
  fields: ['Name', 'LinkedIn profile', 'Notes'],
  missing: ['Name is required', 'LinkedIn profile is required', 'Notes are required'],
  url: { field: 'linkedIn', label: 'LinkedIn profile', sentence: 'LinkedIn profile', link: 'LinkedIn' },
  typedAfterName: ['https://www.linkedin.com/in/key', 'Typed.'],
  addButton: 'Add to Network',
  enrichedToast: 'Founder added and enriched with LinkedIn data!',
  refreshedToast: (name) => `${name} refreshed with latest LinkedIn data!`,
  searchPlaceholder: 'Search by name, notes, or company',
  input: FOUNDER,
})

test.describe('What only founders have', () => {
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
