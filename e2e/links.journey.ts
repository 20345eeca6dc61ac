import type { Page } from '@playwright/test'
import {
  callApi,
  DESKTOP,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  join,
  keptIn,
  own,
  test,
  visit,
} from './product.ts'
import { addCompany, addFounder } from './records.ts'
import { walk } from './walk.ts'

const panel = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

/** A founder and a company that are not linked, and the panel of the founder. */
async function openFounder(page: Page) {
  if (page.url() === 'about:blank') await join(page)
  const founder = await addFounder(page, { name: own('Ada') })
  const company = await addCompany(page, { name: own('Acme') })
  await visit(page, `/founders/${founder.id}`)
  return { founder, company, companies: panel(page, 'Companies') }
}

test.describe('The panel of linked records', () => {
  test('links an existing company with a role by keyboard, is live for a colleague, and closes by Escape without a link', {
    tag: '@slow',
  }, async ({ page }) => {
    await test.step('closes by Escape without a link, first its list of names, and fits a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      const { company, companies } = await openFounder(page)
      await companies.getByRole('button', { name: 'Link a company' }).click()
      await expect(companies.getByRole('combobox')).toBeFocused()
      await page.keyboard.type(company.name)
      await expect(companies.getByRole('option', { name: company.name })).toBeVisible()
      await expectNoSidewaysScroll(page)
      await page.keyboard.press('Escape')
      await expect(companies.getByRole('option', { name: company.name })).toBeHidden()
      await expect(companies.getByRole('combobox')).toBeFocused()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await expect(companies.getByRole('button', { name: 'Link a company' })).toBeFocused()
      await expect(companies.getByText('No companies linked')).toBeVisible()
      await page.setViewportSize(DESKTOP)
    })
    await test.step('links an existing company with a role, changes the role and removes the link, all by keyboard', async () => {
      const { company, companies } = await openFounder(page)
      await expect(companies.getByText('No companies linked')).toBeVisible()
      const { pressByKey, type, key, expectActs } = walk(page)
      await pressByKey('button', 'Link a company')
      const box = companies.getByRole('combobox', { name: 'Link which company?' })
      await expect(box).toBeFocused()
      await type(company.name)
      await expect(companies.getByRole('option', { name: company.name })).toBeVisible()
      await key('ArrowDown')
      await key('Enter')
      await expect(companies.getByRole('button', { name: 'Link', exact: true })).toBeEnabled()
      await expect(box).toHaveValue(company.name)
      await expectAccessible(page)
      await key('Tab')
      await type('CEO')
      await key('Enter')
      expectActs(7)
      await expect(companies.getByRole('button', { name: 'Link a company' })).toBeFocused()
      await expect(companies.getByRole('listitem')).toContainText('CEO')

      await companies.getByRole('button', { name: `Edit role of ${company.name}` }).press('Enter')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('CTO')
      await page.keyboard.press('Enter')
      await expect(companies.getByRole('listitem')).toContainText('CTO')
      await expect(companies.getByRole('button', { name: `Edit role of ${company.name}` })).toBeFocused()

      await companies.getByRole('button', { name: `Remove the link to ${company.name}` }).press('Enter')
      await expect(companies.getByText('No companies linked')).toBeVisible()
      await expect(companies.locator('> div')).toBeFocused()
    })
    await test.step('offers to add a company that it does not find, keeps what is typed, and links it in the role after Add to Portfolio', async () => {
      const { companies } = await openFounder(page)
      const name = own('Machinepay')
      const { press, pressByKey, fill, expectActs } = walk(page)
      await pressByKey('button', 'Link a company')
      await fill('Role (optional)', 'CEO')
      await fill('Link which company?', name)
      await expect(companies.getByRole('option')).toHaveText([`Add "${name}"`])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Add Company' })
      const [box, notes] = ['Name', 'Notes'].map((label) => dialog.getByRole('textbox', { name: label, exact: true }))
      if (!box || !notes) throw new Error('No boxes')
      await expect(box).toBeFocused()
      await expect(box).toHaveValue(name)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(companies.getByRole('combobox')).toBeFocused()
      await expect(companies.getByRole('combobox')).toHaveValue(name)
      await companies.getByRole('combobox').click()
      await press('option', `Add "${name}"`)
      await fill('Notes', 'Found on the way.', dialog)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Keep editing' }).click()
      await page.setViewportSize({ width: 390, height: 844 })
      await expectNoSidewaysScroll(page)
      await page.setViewportSize(DESKTOP)
      await page.reload()
      await expect(notes).toHaveValue('Found on the way.')
      await press('button', 'Add to Portfolio')
      expectActs(6)
      await expect(companies.getByRole('listitem')).toContainText(name)
      await expect(companies.getByRole('listitem')).toContainText('CEO')
      await expect(dialog).toBeHidden()
      await expect(companies.getByRole('button', { name: 'Link a company' })).toBeFocused()
      expect(await keptIn(page)).toEqual([])
    })
    await test.step('adds a founder to a company by the same form, and links one that is here already in its place', async () => {
      const company = await addCompany(page)
      const here = await addFounder(page, { name: `${own('Grace')} Hopper` })
      await visit(page, `/companies/${company.id}`)
      const founders = panel(page, 'Founders')
      await founders.getByRole('button', { name: 'Link a founder' }).click()
      const [first, last] = here.name.split(' ')
      await founders.getByRole('combobox').fill(`${last} ${first}s`)
      await founders.getByRole('option', { name: 'Add "' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add Founder' })
      await expect(dialog.getByRole('button', { name: 'Add to Network' })).toBeVisible()
      await dialog.getByRole('textbox', { name: 'Name' }).fill(here.name)
      await dialog.getByRole('button', { name: `Link ${here.name}` }).click()
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await expect(founders.getByRole('listitem')).toContainText(here.name)
      await expect.poll(() => keptIn(page)).toEqual([])
    })
    await test.step('leads to the other record, which lists this one, and is live for a colleague', async () => {
      const { founder, company, companies } = await openFounder(page)
      const other = await page.context().newPage()
      await other.goto(`/companies/${company.id}`)
      const founders = panel(other, 'Founders')
      await expect(founders.getByText('No founders linked')).toBeVisible()
      await callApi(page, 'PUT', `/founders/${founder.id}/companies/${company.id}`, { role: 'CEO' })
      await expect(founders.getByRole('listitem')).toContainText('CEO')
      await expect(companies.getByRole('listitem')).toContainText('CEO')

      await callApi(page, 'PATCH', `/companies/${company.id}`, {
        name: `${company.name} Labs`,
        version: company.version,
      })
      await companies.getByRole('link', { name: `${company.name} Labs` }).click()
      await expect(panel(page, 'Founders').getByRole('listitem')).toContainText('CEO')
      await callApi(page, 'DELETE', `/founders/${founder.id}`)
      await expect(founders.getByText('No founders linked')).toBeVisible()
      await other.close()
    })
  })
})

test.describe('A suggested link', () => {
  test('appears when the company of a founder is corrected, and is made by keyboard in the role shown, live for a colleague', {
    tag: '@slow',
  }, async ({ page }) => {
    const { founder, company, companies } = await openFounder(page)
    const other = await page.context().newPage()
    await other.goto(`/companies/${company.id}`)
    const founders = panel(other, 'Founders')
    await expect(founders.getByText('No founders linked')).toBeVisible()
    await expect(companies.getByText('No companies linked')).toBeVisible()
    for (const side of [founders, companies]) await expect(side.getByText('Suggested')).toBeHidden()

    const values = { company: `${company.name} Inc.`, title: 'CTO' }
    await callApi(page, 'PATCH', `/founders/${founder.id}`, { ...values, version: founder.version })
    const suggestion = companies.getByRole('list', { name: 'Suggested companies' }).getByRole('listitem')
    await expect(suggestion).toContainText('Similar company name · role: CTO')
    await expect(suggestion.getByRole('link', { name: company.name })).toBeVisible()
    await expect(founders.getByRole('list', { name: 'Suggested founders' })).toContainText(founder.name)
    await expectAccessible(page)

    await companies.getByRole('button', { name: 'Link a company' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(suggestion.getByRole('button', { name: `Link ${company.name}` })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(companies.getByRole('button', { name: `Edit role of ${company.name}` })).toBeVisible()
    await expect(companies.getByText('Suggested')).toBeHidden()
    await expect(companies.getByRole('listitem')).toContainText('CTO')
    await expect(companies.locator('> div')).toBeFocused()
    await expect(founders.getByRole('button', { name: `Edit role of ${founder.name}` })).toBeVisible()
    await expect(founders.getByText('Suggested')).toBeHidden()
    await other.close()
  })

  test('appears for an added company, and on a phone is made by a tap, in light and dark', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const { founder, companies } = await openFounder(page)
    const values = { company: `${own('Bramble')} ${'Foods '.repeat(20)}`.trim(), title: 'Chief '.repeat(15).trim() }
    await callApi(page, 'PATCH', `/founders/${founder.id}`, { ...values, version: founder.version })
    await expect(page.getByRole('list', { name: /^Facts about/ })).toContainText(values.company)
    await addCompany(page, { name: values.company })
    await expect(companies.getByText('Same company name')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, ['light', 'dark'])
    await companies.getByRole('button', { name: `Link ${values.company}` }).click()
    await expect(companies.getByRole('button', { name: `Edit role of ${values.company}` })).toBeVisible()
    await expect(companies.getByText('Suggested')).toBeHidden()
  })
})
