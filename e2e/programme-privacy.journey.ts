import { readFile } from 'node:fs/promises'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { joinAsManager } from './manager.ts'
import { callApi, expect, expectAccessible, expectNoSidewaysScrollAtAnyWidth, own, test, toast } from './product.ts'

/** Presses a button by keyboard, and returns the text of the file that it saves. */
async function savedBy(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).press('Enter'),
  ])
  return readFile(await download.path(), 'utf8')
}

/** The saved page has the person, and passes axe on its own. */
async function expectReadable(page: Page, html: string, name: string) {
  const alone = await page.context().newPage()
  await alone.setContent(html)
  await expect(alone.getByRole('heading', { level: 1 })).toHaveText(`Access report · ${name}`)
  await expect(alone.getByRole('heading', { level: 2, name: 'History' })).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await alone.emulateMedia({ colorScheme })
    expect((await new AxeBuilder({ page: alone }).setLegacyMode().analyze()).violations).toEqual([])
  }
  await expectNoSidewaysScrollAtAnyWidth(alone)
  await alone.close()
}

test.describe('The search for a person', () => {
  test('finds what is held, reports it and erases what is chosen, by keyboard', { tag: '@slow' }, async ({
    page,
    product,
  }) => {
    await joinAsManager(page, product)
    const word = own('Zoe')
    const handle = word.toLowerCase()
    const { body: founder } = await callApi(page, 'POST', '/founders', {
      ...{ name: `${word} Müller`, linkedIn: `https://www.linkedin.com/in/${handle}`, notes: 'Met at the fair.' },
    })
    const { body: other } = await callApi(page, 'POST', '/companies', {
      ...{ name: `${own('Acme')} Ltd`, website: 'https://acme.example', description: 'Anvils', notes: 'None.' },
    })
    expect((await page.request.get(`/api/founders/export?mine=true&search=${handle}`)).status()).toBe(200)
    await callApi(page, 'POST', `/notes/company/${other.id}`, { content: `Ask Muller ${word} about it.` })

    await page.goto('/programme')
    await page.getByRole('navigation', { name: 'Programme' }).getByRole('link', { name: 'Privacy' }).press('Enter')
    await expect(page).toHaveTitle('Privacy · Programme · Sourcebook')
    await expectAccessible(page)
    await page.getByLabel('Names').fill(`muller ${handle}`)
    await page.getByRole('button', { name: 'Search', exact: true }).press('Enter')
    const results = page.getByRole('region', { name: 'Results' })
    const records = results.getByRole('region', { name: 'Records' })
    await expect(records.getByRole('checkbox')).toHaveCount(1)
    await expect(results.getByRole('region', { name: 'Mentioned elsewhere' })).toContainText(`Ask Muller ${word}`)
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)

    for (const box of await results.getByRole('checkbox').all()) await box.press('Space')
    await results.getByRole('button', { name: 'Report' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Save the page' })).toBeFocused()
    await expectAccessible(page)
    const data = JSON.parse(await savedBy(page, 'Save the data'))
    expect(data.records).toEqual([{ id: founder.id, kind: 'founder', name: `${word} Müller` }])
    const html = await savedBy(page, 'Save the page')
    await expectReadable(page, html, `${word} Müller`)
    await results.getByRole('radio', { name: 'The person objected' }).press('Space')
    await results.getByRole('button', { name: 'Erase…' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).press('Enter')
    await expect(toast(page, 'Erased')).toBeVisible()
    const erased = page.getByRole('region', { name: 'Erased' })
    // The filter of this export named the person, and is erased too.
    await expect(erased.getByRole('listitem').first()).toContainText('manager.')
    await expectNoSidewaysScrollAtAnyWidth(page)
    await expectAccessible(page)
    expect((await callApi(page, 'GET', `/founders/${founder.id}`)).status).toBe(404)
    expect((await callApi(page, 'GET', `/notes/company/${other.id}`)).body.totalNotes).toBe(0)
    await page.getByRole('button', { name: 'Search for someone else' }).press('Enter')
    await page.getByLabel('Names').fill(`muller ${handle}`)
    await page.getByRole('button', { name: 'Search', exact: true }).press('Enter')
    await expect(page.getByText('Nothing found.')).toBeVisible()
  })

  test('leads to the founders to inform, whose letters are read, marked as sent and taken back, by keyboard', async ({
    page,
    product,
  }) => {
    await joinAsManager(page, product)
    // Those of other journeys are older, and would fill the first page.
    await expect(async () => {
      const { body: others } = await callApi(page, 'GET', '/programme/privacy/uninformed?limit=100')
      const ids = others.map(({ id }: { id: string }) => id)
      if (ids.length > 0) await callApi(page, 'PUT', '/programme/privacy/informed', { ids, isInformed: true })
      expect(ids.length).toBeLessThan(100)
    }).toPass()
    const [one, two] = [`Ann ${own('Letter')}`, `Bea ${own('Letter')}`]
    for (const name of [one, two])
      await callApi(page, 'POST', '/founders', { name, linkedIn: `https://linkedin.com/in/${own('l')}`, notes: 'Met.' })
    await page.goto('/programme/privacy')
    await page.getByRole('link', { name: /^Founders to inform \(\d+/ }).press('Enter')
    await expect(page.getByRole('heading', { level: 2, name: 'Founders to inform' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Programme')
    const list = page.getByRole('list', { name: 'Founders to inform' })
    const rowOf = (name: string) => list.getByRole('listitem').filter({ hasText: name })
    await expect(rowOf(one)).toContainText('Due on')
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)

    await rowOf(one)
      .getByRole('button', { name: /^Letter to/ })
      .press('Enter')
    const letter = page.getByRole('dialog', { name: `Letter to ${one}` })
    await expect(letter.getByLabel('Text')).toHaveValue(new RegExp(`^Dear ${one},`))
    await expect(letter.getByRole('link', { name: 'Open in mail' })).toHaveAttribute(
      'href',
      /^mailto:\?subject=.+&body=Dear/,
    )
    await expectAccessible(page)
    await letter.getByRole('button', { name: 'Mark as sent' }).press('Enter')
    await expect(letter).toHaveCount(0)
    await expect(rowOf(one)).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(rowOf(one)).toBeVisible()

    for (const name of [one, two]) await rowOf(name).getByRole('checkbox').press('Space')
    await page.getByRole('button', { name: 'Mark 2 as sent' }).press('Enter')
    await expect(page.getByText('2 marked as sent.')).toBeVisible()
    for (const name of [one, two]) await expect(rowOf(name)).toHaveCount(0)
    // Another manager adds a founder, who appears.
    const late = `Cleo ${own('Letter')}`
    await callApi(page, 'POST', '/founders', {
      name: late,
      linkedIn: `https://linkedin.com/in/${own('l')}`,
      notes: '.',
    })
    await expect(rowOf(late)).toBeVisible()
    expect(await savedBy(page, 'Export CSV')).toContain(late)
  })
})
