import type { APIRequestContext, Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  failWith,
  join,
  own,
  PASSWORD,
  test,
  toast,
  today,
} from './product.ts'

const nameField = (page: Page) => page.getByLabel('Name', { exact: true })
const profile = (page: Page) => page.getByLabel('LinkedIn profile')
const hint = (page: Page) => page.getByText('Already here?')
const discard = (page: Page) => page.getByRole('button', { name: 'Discard the form' })
const addFounder = async (caller: Page | APIRequestContext, overrides: Record<string, unknown>) =>
  (await callApi(caller, 'POST', '/founders', { notes: 'Met.', linkedIn: 'https://example.com/x', ...overrides })).body

test.describe('Similar records in an add form', () => {
  test('are shown with reason, first finder and date, and open in a new tab', async ({ page }) => {
    await join(page, { name: 'Grace Hopper' })
    const [name, handle] = [`Ada ${own('Lovelace')}`, own('ada')]
    await addFounder(page, { name, linkedIn: `https://www.linkedin.com/in/${handle}/` })
    await page.goto('/founders/add')
    const notesAt = async () => (await page.getByLabel('Notes').boundingBox())?.y
    const before = await notesAt()
    await profile(page).fill(`http://de.linkedin.com/in/${handle.toUpperCase()}?trk=x`)
    const row = page.getByRole('listitem').filter({ hasText: name })
    await expect(row).toContainText('same LinkedIn profile')
    await expect(row).toContainText(`found by Grace Hopper on ${today()}`)
    expect(await notesAt(), 'nothing moves').toBe(before)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    const opening = page.waitForEvent('popup')
    await row.getByRole('link', { name }).click()
    const other = await opening
    await expect(other.getByRole('article', { name, exact: true })).toBeVisible()
    await other.close()

    await profile(page).fill('')
    await expect(hint(page)).toHaveCount(0)
    await nameField(page).fill(name)
    await expect(row).toContainText('similar name')
    await page.getByLabel('Notes').fill('Nevertheless.')
    await profile(page).fill(`https://www.linkedin.com/in/${own('other')}`)
    await page.getByRole('button', { name: 'Add to Network' }).click()
    await expect(toast(page, 'Founder added successfully!')).toBeVisible()
  })

  test('of a company are found by its website, also without https://', async ({ page }) => {
    await join(page)
    const [name, domain] = [own('Engines'), `${own('engines').toLowerCase()}.com`]
    await callApi(page, 'POST', '/companies', { name, notes: 'Met.', website: `https://www.${domain}/about` })
    await page.goto('/companies/add')
    await page.getByLabel('Website').fill(domain)
    await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('same website')
    await page.getByLabel('Website').fill(`${domain}.example`)
    await expect(hint(page)).toHaveCount(0)
  })

  test('disappear when another address is typed, ignore late responses, and show no error when the search fails', async ({
    page,
    complaints,
  }) => {
    await join(page)
    const handle = own('late')
    await addFounder(page, { name: 'Late', linkedIn: `https://linkedin.com/in/${handle}` })
    await page.goto('/founders/add')
    const canceled = new Set<string>()
    page.on('requestfailed', (request) => canceled.add(request.url()))
    await page.route('**/api/founders/similar?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await route.continue().catch(() => {})
    })
    const asked = page.waitForRequest(/similar/)
    await profile(page).fill(`https://linkedin.com/in/${handle}`)
    const first = await asked
    const answered = page.waitForResponse(/unknown-name/)
    await profile(page).fill('https://linkedin.com/in/unknown-name')
    await answered
    expect([...canceled]).toEqual([first.url()])
    await expect(hint(page)).toHaveCount(0)

    await page.unroute('**/api/founders/similar?*')
    await failWith(page, '/founders/similar?*', 500, {})
    const failed = page.waitForResponse(/similar/)
    await profile(page).fill(`https://linkedin.com/in/${handle}/`)
    await failed
    await page.waitForTimeout(300)
    await expect(hint(page)).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
    expectNoComplaintsButOf(complaints, 500)
  })

  test('have a button that adds the person to the finders, and the form can be discarded or kept', async ({
    page,
    openCaller,
  }) => {
    await join(page, { name: 'Grace Hopper' })
    const name = `Ada ${own('Finder')}`
    const other = await openCaller()
    await join(other, { name: 'Tom Baker' })
    await addFounder(other, { name })
    await page.goto('/my-records')
    await page.getByRole('banner').getByRole('link', { name: 'Add Founder' }).click()
    await nameField(page).fill(name)
    const button = page.getByRole('button', { name: `I met them too (${name})` })
    await button.press('Enter')
    await expect(page.getByRole('dialog')).toContainText(`You found ${name} too`)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(nameField(page)).toHaveValue(name)
    await expect(page.getByText('You met them too')).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: name })).toBeFocused()
    await expect(button).toHaveCount(0)

    await page.reload()
    await button.click()
    await discard(page).click()
    await expect(page).toHaveURL('/my-records')
    await expect(page.getByRole('article', { name, exact: true })).toBeVisible()
    await page.goto('/founders/add')
    await expect(nameField(page)).toHaveValue('')
  })
})

test('The history of a record lists its finders when there are several, and has the same button', async ({
  page,
  openCaller,
}) => {
  await join(page, { name: 'Grace Hopper' })
  const name = `Ada ${own('Found')}`
  const other = await openCaller()
  const { email } = await join(other, { name: 'Tom Baker' })
  await addFounder(other, { name })
  await page.goto(`/founders?search=${encodeURIComponent(name)}`)
  const history = page.getByRole('button', { name: `History of ${name}` })
  await history.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Found by')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'I met them too' }).press('Enter')
  await expect(dialog).toContainText(`Found by Tom Baker (${today()}), then Grace Hopper (${today()})`)
  await expect(dialog).toContainText('Grace Hopper met them too')
  await expect(dialog.getByRole('button', { name: 'I met them too' })).toHaveCount(0)
  await expectAccessible(page)
  await page.goto('/my-records')
  await expect(page.getByRole('article', { name, exact: true })).toBeVisible()

  await page.goto('about:blank')
  expect((await callApi(page, 'POST', '/auth/login', { email, password: PASSWORD })).status).toBe(200)
  await page.goto(`/founders?search=${encodeURIComponent(name)}`)
  await history.click()
  await expect(dialog).toContainText('then Grace Hopper')
  await expect(page.getByRole('button', { name: 'I met them too' })).toHaveCount(0)
})

test.describe('The review of duplicates', () => {
  test('is in the sidebar, on phones in the menu of the avatar, and has an empty state', async ({ page }) => {
    await join(page)
    await page.route('**/api/duplicates?*', (route) => route.fulfill({ json: [] }))
    await page.goto('/')
    await page.getByRole('navigation').getByRole('link', { name: 'Duplicates' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Duplicates')
    await expect(page.getByText('No duplicate founders')).toBeVisible()
    await page.getByRole('tab', { name: 'Companies 0' }).click()
    await expect(page.getByText('No duplicate companies')).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('link', { name: 'Duplicates' }).click()
    await expect(page).toHaveURL('/duplicates')
  })
})
