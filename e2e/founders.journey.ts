import type { Page } from '@playwright/test'
import { expect, join, own, test, visit } from './product.ts'
import { describeRecordJourneys } from './record-journeys.ts'
import { addFounder, card } from './records.ts'

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
  refreshedToast: (name) => `${name} refreshed with latest LinkedIn data!`,
  searchPlaceholder: 'Search by name, notes, or company',
  input: FOUNDER,
})

test.describe('What only founders have', () => {
  const shownWith = async (page: Page, additionalInfo: object) => {
    const { name } = await addFounder(page, { name: own('Known'), linkedIn: FOUNDER.linkedIn })
    await page.route('**/api/founders?*', async (route) => {
      const answer = await route.fetch()
      const [founder] = await answer.json()
      // Similar names below the result.
      if (founder?.name !== name) return route.fulfill({ response: answer })
      const known = { ...founder, additionalInfo: JSON.stringify(additionalInfo) }
      const unknown = { ...founder, id: founder.id.replace(/.{4}$/, '0000'), name: `${name} as added` }
      return route.fulfill({ response: answer, json: [known, unknown] })
    })
    await visit(page, `/founders?search=${name}`)
    return { known: card(page, name), unknown: card(page, `${name} as added`) }
  }

  test('cards show what is known and leave out the rest, and the list is emptied and reloads after a refresh', async ({
    page,
  }) => {
    await join(page)
    await test.step('cards show title, company, bio and links, and leave out unknown fields', async () => {
      const { known, unknown } = await shownWith(page, {
        current_title: 'Rear Admiral',
        current_company: 'US Navy',
        bio: 'Wrote the first compiler.',
        email: 'grace@navy.example',
        website: 'https://grace.example/',
      })
      await expect(known).toContainText('Rear Admiral · US Navy')
      await expect(known).toContainText('Wrote the first compiler.')
      for (const [label, address] of [
        ['LinkedIn', FOUNDER.linkedIn],
        ['Email', 'mailto:grace@navy.example'],
        ['Website', 'https://grace.example/'],
      ] as const) {
        await expect(known.getByRole('link', { name: label })).toHaveAttribute('href', address)
      }
      await expect(unknown.getByText('K', { exact: true })).toBeVisible()
      await expect(unknown.getByRole('list', { name: /^Links of/ }).getByRole('link')).toHaveText(['LinkedIn'])
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('after a refresh the list is emptied, and reloads', async () => {
      const { name } = await addFounder(page)
      await visit(page, `/founders?search=${name}`)
      await page.route('**/api/founders/*/refresh', (route) =>
        route.fulfill({ json: { success: true, enrichedData: { bio: 'x' } } }),
      )
      const shown = card(page, name)
      await shown.getByRole('button', { name: /^Refresh/ }).click()
      await expect(shown).toBeHidden()
      await expect(shown).toBeVisible()
      await expect(page.getByRole('listitem').filter({ has: shown }), 'where the focus was').toBeFocused()
    })
  })
})
