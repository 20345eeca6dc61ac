import { withDashboard } from './dashboard-answer.ts'
import { setPipeline } from './pipeline.ts'
import {
  DESKTOP,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  failWith,
  hold,
  holdLiveStream,
  join,
  own,
  startProduct,
  test,
  toast,
  today,
  visit,
} from './product.ts'
import { addCompany, addFounder } from './records.ts'
import { walk } from './walk.ts'

/** The day of the next Friday, or today. */
function friday() {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() + ((12 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
}

test.describe('Dashboard', () => {
  test('without data shows the first steps in place of the chart, and the empty texts', { tag: '@slow' }, async ({
    browser,
  }) => {
    const empty = await startProduct()
    const context = await browser.newContext({ baseURL: empty.url })
    const page = await context.newPage()
    await join(page)
    await page.goto('/')
    await expect(page.getByText('No founders added yet')).toBeVisible()
    await expect(page.getByText('No companies added yet')).toBeVisible()
    await expect(page.getByText('Fellow Sourcing Performance')).toHaveCount(0)
    const addButtons = page.getByRole('main').getByRole('link', { name: /^Add / })
    await expect(addButtons).toHaveText(['Add Founder', 'Add Company'])
    const [first, second] = await addButtons.all()
    const [one, other] = [await first?.boundingBox(), await second?.boundingBox()]
    expect(other && one && other.x - (one.x + one.width)).toBeGreaterThanOrEqual(8)
    await expect(page.locator('[data-variant=filled]')).toHaveText(['Add Founder'])
    await expectAccessible(page)
    await first?.click()
    await expect(page).toHaveURL('/founders/add')
    await context.close()
    await empty.stop()
  })

  test('has counts, recent records that can be refreshed, and a chart', async ({ page, complaints }) => {
    await join(page, { name: 'Ada Lovelace' })
    await test.step('a failure says Failed to fetch dashboard data, and offers to try again', async () => {
      // The live stream must not refetch before this journey does.
      await holdLiveStream(page)
      await failWith(page, '/dashboard', 500, {})
      await visit(page, '/')
      await expect(toast(page, 'Failed to fetch dashboard data')).toBeVisible()
      await page.unroute('**/api/dashboard')
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByText('Founders Sourced')).toBeVisible()
      expectNoComplaintsButOf(complaints, 500)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('has counts, recent founders and companies with links, rating as n/10, refresh and View all', async () => {
      const [founder, company] = [own('Recent'), own('Firm')]
      const linkedIn = 'https://www.linkedin.com/in/d'
      await addFounder(page, { name: founder, rating: 7, linkedIn })
      await addCompany(page, { name: company, website: 'https://firm.example', rating: 9 })
      await page.goto('/')
      for (const label of ['Founders Sourced', 'Companies Sourced']) await expect(page.getByText(label)).toBeVisible()
      const founders = page.getByRole('region', { name: 'Recent Founders' })
      await expect(founders).toContainText(founder)
      await expect(founders).toContainText('7/10')
      await expect(founders.getByRole('time').first()).toHaveText(today())
      await expect(founders.getByRole('link', { name: `LinkedIn of ${founder}` })).toHaveAttribute('href', linkedIn)
      await expect(founders.getByRole('link', { name: /View all/ })).toHaveAttribute('href', '/founders')
      const companies = page.getByRole('region', { name: 'Recent Companies' })
      await expect(companies).toContainText(company)
      await expect(companies).toContainText('9/10')
      await expect(companies.getByRole('time').first()).toHaveText(today())
      await expect(companies.getByRole('link', { name: `Website of ${company}` })).toHaveAttribute(
        'href',
        'https://firm.example',
      )
      await expect(companies.getByRole('link', { name: /View all/ })).toHaveAttribute('href', '/companies')
      await founders
        .getByRole('button', { name: /^Refresh/ })
        .first()
        .click()
      await expect(toast(page, 'No source of public data is set up')).toBeVisible()
    })
    await test.step('a refresh that finds data says {name} refreshed successfully!, for either kind; one runs at a time', async () => {
      const [founder, company] = [own('Fresh'), own('Firm')]
      await addFounder(page, { name: founder })
      await addCompany(page, { name: company })
      await visit(page, '/')
      await page.route('**/api/*/*/refresh', (route) => route.fulfill({ json: { success: true, enrichedData: {} } }))
      for (const name of [founder, company]) {
        await page.getByRole('button', { name: `Refresh ${name}` }).click()
        await expect(toast(page, `${name} refreshed successfully!`)).toBeVisible()
      }

      const release = await hold(page, '/founders/*/refresh')
      await page.getByRole('button', { name: `Refresh ${founder}` }).click()
      await expect(page.getByRole('button', { name: `Refresh ${company}` })).toBeDisabled()
      release()
      await expect(page.getByRole('button', { name: `Refresh ${company}` })).toBeEnabled()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('lists three next steps, one of them for Friday and made in four acts, which are seen in one act', async () => {
      const [founder, company, other] = [await addFounder(page), await addCompany(page), await addFounder(page)]
      await visit(page, `/founders/${founder.id}`)
      await expect(page.getByRole('heading', { level: 1, name: founder.name })).toBeVisible()
      const step = walk(page)
      await step.press('button', 'Add a next step')
      await step.fill('Next step', 'Send the deck')
      await step.fill('On', friday())
      await step.key('Enter')
      step.expectActs(4)
      await expect(page.getByRole('button', { name: 'Change the next step' })).toContainText('Send the deck')
      await setPipeline(page, company.id, { nextStep: 'Send the terms', nextOn: friday() })
      await setPipeline(page, other.id, { nextStep: 'Call the reference', nextOn: '2020-01-02' })
      const seen = walk(page)
      await seen.press('link', 'Dashboard')
      seen.expectActs(1)
      const rows = page.getByRole('region', { name: 'My next steps' }).getByRole('listitem')
      await expect(rows).toHaveCount(3)
      for (const words of [/deck/, /terms/, /late.*reference/])
        await expect(rows.filter({ hasText: words })).toBeInViewport()
    })
    await test.step('shows Fellow Sourcing Performance 400 high, bars at most 80 wide, with a table for screen readers', async () => {
      await addFounder(page)
      await visit(page, '/')
      await expect(page.getByRole('heading', { name: 'Fellow Sourcing Performance' })).toBeVisible()
      await expect(page.getByRole('table', { name: 'Fellow Sourcing Performance' })).toBeAttached()
      const chart = page.locator('.recharts-surface').first()
      await expect(chart).toBeVisible()
      const bars = page.locator('.recharts-bar-rectangle path')
      await expect(bars.first()).toBeVisible()
      // The outline adds to the bounding box: the width of the bar is that of its path.
      const widths = await bars.evaluateAll((paths) => paths.map((path) => (path as SVGPathElement).getBBox().width))
      expect(Math.max(...widths)).toBeLessThanOrEqual(80)
      // Bars and the names below them.
      const whole = page.locator('.recharts-wrapper').locator('xpath=ancestor::div[@aria-hidden="true"][1]')
      expect((await whole.boundingBox())?.height).toBe(400)
    })
    await test.step('shows the counts, and draws one group per creator, Unknown included, on an axis of whole numbers', async () => {
      const fellows = [
        { createdBy: 'Ada', founders: 3, companies: 2 },
        { createdBy: null, founders: 2, companies: 1 },
      ]
      await withDashboard(page, { founders: 1234, companies: 56, fellows })
      await page.goto('/')
      for (const [label, count] of [
        ['Founders Sourced', '1,234'],
        ['Companies Sourced', '56'],
      ] as const) {
        await expect(page.getByRole('main').locator('dl').filter({ hasText: label })).toHaveText(
          new RegExp(`^${label}${count}(\\+|$)`),
        )
      }
      const rows = page.getByRole('table', { name: 'Fellow Sourcing Performance' }).getByRole('row')
      await expect(rows).toHaveText([/Fellow/, 'Ada32', 'Unknown21'])
      const chart = page.getByRole('region', { name: 'Fellow Sourcing Performance' })
      await expect(chart.locator('.recharts-bar')).toHaveCount(2)
      await expect(chart.locator('.recharts-bar-rectangle')).toHaveCount(4)
      for (const word of ['Founders', 'Companies', 'Ada', 'Unknown']) await expect(chart).toContainText(word)
      const axis = chart.locator('ol').filter({ hasText: /^543210$/ })
      await expect(axis.getByRole('listitem', { includeHidden: true })).toHaveText(['5', '4', '3', '2', '1', '0'])
    })
    await test.step('with 60 fellows the chart scrolls in its card, and the page does not', async () => {
      await page.setViewportSize({ width: 390, height: 800 })
      const fellows = Array.from({ length: 60 }, (_, index) => ({
        createdBy: `Fellow with a long name ${index}`,
        founders: 60 - index,
        companies: index % 7,
      }))
      await withDashboard(page, { fellows })
      await page.goto('/')
      await expect(page.locator('.recharts-bar-rectangle').first()).toBeAttached()
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
      await expectAccessible(page)
    })
  })
})

test.describe('The signed-in layout', () => {
  test('the top bar leads everywhere, stays while the page scrolls, and has a name for everyone', async ({ page }) => {
    const { email } = await join(page, { name: 'Ada Lovelace' })
    await test.step('the top bar has logo, Add Founder, Add Company, name, e-mail, avatar and logout, and stays while the page scrolls', async () => {
      await visit(page, '/founders')
      const bar = page.getByRole('banner')
      await expect(bar.getByRole('link', { name: /^Sourcebook/ })).toHaveAttribute('href', '/')
      await expect(bar.getByRole('link', { name: 'Add Founder' })).toHaveAttribute('href', '/founders/add')
      await expect(bar.getByRole('link', { name: 'Add Company' })).toHaveAttribute('href', '/companies/add')
      await expect(bar).toContainText('Ada Lovelace')
      await expect(bar).toContainText(email)
      await expect(bar.getByText('A', { exact: true }).first()).toBeVisible()
      await expect(bar.getByRole('button', { name: 'Logout' })).toBeVisible()
      await expect(page).toHaveTitle(/Search Founders.*Sourcebook/)
      await page.setViewportSize({ width: 1440, height: 300 })
      await bar.getByRole('link', { name: 'Add Founder' }).click()
      await page.getByRole('button', { name: 'Add to Network' }).scrollIntoViewIfNeeded()
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0)
      expect(await bar.boundingBox()).toMatchObject({ x: 0, y: 0 })
      await page.setViewportSize(DESKTOP)
    })
    await test.step('the name falls back to User, and so does the avatar', async () => {
      await page.route('**/api/auth/me', (route) => route.fulfill({ json: { user: { name: ' ', email } } }))
      await page.goto('/founders')
      await expect(page.getByRole('banner').getByText('User', { exact: true }).first()).toBeVisible()
      await expect(page.getByRole('banner').getByText('U', { exact: true }).first()).toBeVisible()
    })
  })
})
