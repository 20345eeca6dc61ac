import { operate } from './operator.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoSidewaysScrollAtAnyWidth,
  freshAddress,
  join,
  own,
  test,
  toast,
} from './product.ts'

test.describe('The search for a person', () => {
  test('finds what is held in any spelling, reports it, and erases what is chosen, by keyboard', async ({
    page,
    product,
  }) => {
    const email = freshAddress('manager')
    await join(page, { name: 'Mira Manager', email })
    await operate(product, 'accounts', 'make-manager', email)
    const word = own('Zoe')
    const handle = word.toLowerCase()
    const { body: founder } = await callApi(page, 'POST', '/founders', {
      ...{ name: `${word} Müller`, linkedIn: `https://www.linkedin.com/in/${handle}`, notes: 'Met at the fair.' },
    })
    const { body: other } = await callApi(page, 'POST', '/companies', {
      ...{ name: `${own('Acme')} Ltd`, website: 'https://acme.example', description: 'Anvils', notes: 'None.' },
    })
    await callApi(page, 'POST', `/notes/company/${other.id}`, { content: `Ask Muller ${word} about it.` })

    await page.goto('/programme')
    await page.getByRole('navigation', { name: 'Programme' }).getByRole('link', { name: 'Privacy' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy')
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
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      results.getByRole('button', { name: 'Download report' }).press('Enter'),
    ])
    expect(download.suggestedFilename()).toBe('access-report.json')
    await results.getByRole('radio', { name: 'The person objected' }).press('Space')
    await results.getByRole('button', { name: 'Erase…' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).press('Enter')
    await expect(toast(page, 'Erased')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Erased' })).toBeVisible()
    await expectAccessible(page)
    expect((await callApi(page, 'GET', `/founders/${founder.id}`)).status).toBe(404)
    expect((await callApi(page, 'GET', `/notes/company/${other.id}`)).body.totalNotes).toBe(0)
    await page.getByRole('button', { name: 'Search for someone else' }).press('Enter')
    await page.getByRole('button', { name: 'Search', exact: true }).press('Enter')
    await expect(page.getByText('Nothing found.')).toBeVisible()
  })

  test('is not there for a fellow', async ({ page }) => {
    await join(page)
    await page.goto('/programme/privacy')
    await expect(page).toHaveURL('/')
  })
})
