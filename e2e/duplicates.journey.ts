import type { APIRequestContext, Locator, Page } from '@playwright/test'
import {
  callApi,
  DESKTOP,
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
  visit,
} from './product.ts'
import { addCompany, addFounder } from './records.ts'

const nameField = (page: Page) => page.getByLabel('Name', { exact: true })
const profile = (page: Page) => page.getByLabel('LinkedIn profile')
const hint = (page: Page) => page.getByText('Is it one of these?')

test.describe('Similar records in an add form', () => {
  /** Three founders whom one name may mean, with much to say about each. */
  const addThree = async (caller: Page | APIRequestContext, surname: string) => {
    const word = own(surname)
    for (const first of ['Ada', 'A.', 'Ada M.']) {
      await addFounder(caller, { name: `${first} ${word}` })
    }
    return { name: `Ada ${word}`, rows: (page: Page) => page.getByRole('listitem').filter({ hasText: word }) }
  }

  const expectWholeInSight = async (rows: Locator) => {
    await expect(rows).toHaveCount(3)
    for (const row of await rows.all()) await expect(row).toBeInViewport({ ratio: 1 })
  }

  test('are shown beside the form or below the name, with a reason, and do not block adding', { tag: '@slow' }, async ({
    page,
    complaints,
  }) => {
    await join(page, { name: 'Grace Hopper' })
    await test.step('are three whole ones in sight beside the form at 1440 pixels, where nothing moves', async () => {
      await page.setViewportSize({ width: 1440, height: 900 })

      const { name, rows } = await addThree(page, 'Lovelace')
      await visit(page, '/founders/add')
      const notesAt = async () => (await page.getByLabel('Notes').boundingBox())?.y
      const before = await notesAt()
      await nameField(page).fill(name)
      await expectWholeInSight(rows(page))
      await expect(rows(page).first()).toContainText('same name')
      await expect(rows(page).first()).toContainText(`found by Grace Hopper on ${today()}`)
      expect(await notesAt(), 'nothing moves').toBe(before)
      const form = await page.getByRole('form').boundingBox()
      const row = await rows(page).first().boundingBox()
      expect(row?.x).toBeGreaterThanOrEqual((form?.x ?? 0) + (form?.width ?? 0))
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.setViewportSize(DESKTOP)
    })
    await test.step('are three lines of 40 pixels below the name at 390 pixels, whose space is kept once one was found', async () => {
      await nameField(page).fill('')
      await visit(page, '/founders')
      await page.setViewportSize({ width: 390, height: 844 })
      const { name, rows } = await addThree(page, 'Babbage')
      await visit(page, '/founders/add')
      const profileAt = async () => (await profile(page).boundingBox())?.y
      const before = await profileAt()
      await nameField(page).fill(own('Zyx'))
      await page.waitForResponse(/similar/)
      expect(await profileAt(), 'no empty box').toBe(before)
      await nameField(page).fill(name)
      await expectWholeInSight(rows(page))
      for (const row of await rows(page).all()) expect((await row.boundingBox())?.height).toBe(40)
      await expect(profile(page)).toBeInViewport({ ratio: 1 })
      const moved = await profileAt()
      expect(moved).toBeGreaterThan(before ?? 0)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await nameField(page).fill(own('Zyx'))
      await expect(hint(page)).toHaveCount(0)
      expect(await profileAt(), 'moves once').toBe(moved)
    })
    await test.step('take as much space as was found, and more only while no field below has the focus', async () => {
      const [word, handle] = [own('Hopper'), own('hop')]
      await addFounder(page, { name: `Ada ${word}`, linkedIn: `https://www.linkedin.com/in/${handle}/` })
      await visit(page, '/founders')
      await visit(page, '/founders/add')
      const profileAt = async () => (await profile(page).boundingBox())?.y ?? 0
      const before = await profileAt()
      await nameField(page).fill(`Ada ${word}`)
      await expect(hint(page)).toHaveCount(1)
      await expect.poll(async () => (await profileAt()) - before, 'no hole under one').toBe(64)
      await addFounder(page, { name: `Ada M. ${word}`, linkedIn: `https://www.linkedin.com/in/${handle}x/` })
      await profile(page).fill(`https://www.linkedin.com/in/${handle}x`)
      await expect(page.getByRole('listitem').filter({ hasText: word })).toHaveCount(2)
      expect((await profileAt()) - before, 'stays under the finger').toBe(64)
      await profile(page).blur()
      await expect.poll(async () => (await profileAt()) - before).toBe(104)
      await profile(page).fill('')
      await nameField(page).fill('')
      await visit(page, '/founders')
      await page.setViewportSize(DESKTOP)
    })
    await test.step('have a reason, open in a new tab, and do not block adding', async () => {
      const [name, handle] = [`Ada ${own('Lovelace')}`, own('ada')]
      await addFounder(page, { name, linkedIn: `https://www.linkedin.com/in/${handle}/` })
      await visit(page, '/founders/add')
      await profile(page).fill(`http://de.linkedin.com/in/${handle.toUpperCase()}?trk=x`)
      const row = page.getByRole('listitem').filter({ hasText: name })
      await expect(row).toContainText('same LinkedIn profile')
      const opening = page.waitForEvent('popup')
      await row.getByRole('link', { name }).click()
      const other = await opening
      await expect(other.getByRole('heading', { level: 1, name })).toBeVisible()
      await other.close()
      await expect(profile(page)).toHaveValue(/trk=x/)

      await profile(page).fill('')
      await expect(hint(page)).toHaveCount(0)
      await nameField(page).fill(`${name}x`)
      await expect(row).toContainText('similar name')
      await page.getByLabel('Notes').fill('Nevertheless.')
      await profile(page).fill(`https://www.linkedin.com/in/${own('other')}`)
      await page.getByRole('button', { name: 'Add to Network' }).click()
      await expect(toast(page, 'Founder added successfully!')).toBeVisible()
    })
    await test.step('of a company are found by its website, also without https:// and by a subdomain', async () => {
      const [name, domain] = [own('Engines'), `${own('engines').toLowerCase()}.com`]
      await addCompany(page, { name, website: `https://www.${domain}/about` })
      await visit(page, '/companies/add')
      const row = page.getByRole('listitem').filter({ hasText: name })
      await page.getByLabel('Website').fill(domain)
      await expect(row).toContainText('same website')
      await page.getByLabel('Website').fill(`${domain}.example`)
      await expect(hint(page)).toHaveCount(0)
      await page.getByLabel('Website').fill(`shop.${domain}`)
      await expect(row).toContainText('same website')
    })
    await test.step('disappear when another address is typed, ignore late responses, and show no error when the search fails', async () => {
      const handle = own('late')
      await addFounder(page, { name: 'Late', linkedIn: `https://linkedin.com/in/${handle}` })
      await visit(page, '/founders/add')
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
  })

  /** Another fellow's founder, typed again by Grace Hopper with the keyboard. */
  const typeAgain = async (page: Page, other: APIRequestContext | Page) => {
    const name = `Ada ${own('Finder')}`
    await join(other, { name: 'Tom Baker' })
    const { id } = await addFounder(other, { name })
    await visit(page, '/founders/add')
    await nameField(page).fill(name)
    const met = page.getByRole('button', { name: `I met them too (${name})` })
    await expect(met).toBeVisible()
    const finders = async () => (await callApi(page, 'GET', `/records/${id}/finders`)).body.length
    return { name, met, finders, heading: page.getByRole('heading', { name: `You met ${name} too` }) }
  }
  const noteBox = (page: Page) => page.getByRole('textbox', { name: 'New note' })

  test('lead to a note of a fellow who met them too, and back, and lose nothing that was typed', async ({
    page,
    openCaller,
  }) => {
    await join(page, { name: 'Grace Hopper' })
    await test.step('lead back to an empty form when no notes were typed', async () => {
      const { met, heading } = await typeAgain(page, await openCaller())
      await met.click()
      await expect(heading).toBeVisible()
      await expect(noteBox(page)).toHaveCount(0)
      await page.getByRole('button', { name: 'Add someone else' }).click()
      await expect(nameField(page)).toHaveValue('')
    })
    await test.step('give the form back with everything typed when it is taken back', async () => {
      const { name, met, heading, finders } = await typeAgain(page, await openCaller())
      await page.getByLabel('Notes').fill('Typed.')
      await met.click()
      await expect(heading).toBeVisible()
      await page.getByRole('button', { name: 'Take it back' }).click()
      await expect(nameField(page)).toHaveValue(name)
      await expect(nameField(page)).toBeFocused()
      await expect(page.getByLabel('Notes')).toHaveValue('Typed.')
      await expect(met).toBeVisible()
      expect(await finders()).toBe(1)
    })
    await test.step('take *I met them too* by the keyboard alone; typed notes over 1,000 characters are shortened, then added', async () => {
      const { name, heading, finders } = await typeAgain(page, await openCaller())
      await page.getByLabel('Notes').fill('n'.repeat(1_200))
      await nameField(page).focus()
      await page.keyboard.press('Tab')
      await expect(page.getByRole('link', { name })).toBeFocused()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(heading).toBeFocused()
      expect(await finders()).toBe(2)
      await expect(noteBox(page)).toHaveValue('n'.repeat(1_200))
      await expect(page.getByText('1200/1000')).toBeVisible()
      const add = page.getByRole('button', { name: 'Add Note' })
      await expect(add).toBeDisabled()
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await expectNoSidewaysScroll(page)
      await noteBox(page).fill('Shortened.')
      await add.press('Enter')
      await expect(page.getByText('Your note was added.')).toBeVisible()
      await page.getByRole('button', { name: 'Add someone else' }).press('Enter')
      await expect(nameField(page)).toBeFocused()
      await expect(nameField(page)).toHaveValue('')
      await expect(page.getByLabel('Notes')).toHaveValue('')
      await visit(page, '/my-records')
      await expect(page.getByRole('article', { name, exact: true })).toContainText('Shortened.')
      await page.setViewportSize(DESKTOP)
    })
    await test.step('ask before typed notes are discarded, and keep them when the page is left', async () => {
      const { met, heading } = await typeAgain(page, await openCaller())
      await page.getByLabel('Notes').fill('Typed.')
      await met.click()
      await page.getByRole('button', { name: 'Add someone else' }).click()
      await expect(page.getByRole('dialog')).toContainText('Discard your notes?')
      await page.keyboard.press('Escape')
      await expect(noteBox(page)).toHaveValue('Typed.')
      await heading.locator('..').getByRole('link', { name: 'My Records' }).click()
      await page.goto('/founders/add')
      await expect(page.getByLabel('Notes')).toHaveValue('Typed.')
      await expect(page.getByText('You met them').first()).toBeVisible()
    })
  })
})

test('The history of a record lists its finders when there are several, and has the same button', {
  tag: '@slow',
}, async ({ page, openCaller }) => {
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
  await expect(dialog.getByRole('button', { name: 'I met them too', exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Take back “I met them too”' }).press('Enter')
  await expect(dialog).toContainText('Grace Hopper took back having met them')
  await dialog.getByRole('button', { name: 'I met them too' }).press('Enter')
  await expect(dialog).toContainText('then Grace Hopper')
  await page.keyboard.press('Escape')
  await page.getByRole('navigation').getByRole('link', { name: 'My Records' }).click()
  await expect(page.getByRole('article', { name, exact: true })).toBeVisible()

  await page.goto('about:blank')
  expect((await callApi(page, 'POST', '/auth/login', { email, password: PASSWORD })).status).toBe(200)
  await page.goto(`/founders?search=${encodeURIComponent(name)}`)
  await history.click()
  await expect(dialog).toContainText('then Grace Hopper')
  await expect(page.getByRole('button', { name: 'I met them too' })).toHaveCount(0)
})

test.describe('The review of duplicates', () => {
  test('is the first part of Data, on phones in More, and has an empty state', async ({ page }) => {
    await join(page)
    await page.route('**/api/duplicates?*', (route) => route.fulfill({ json: [] }))
    await page.goto('/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Data' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Data')
    await expect(page.getByRole('navigation', { name: 'Data' }).getByRole('link')).toHaveText([
      ...[/^Duplicates/, 'Import', 'Export', 'Recent changes'],
    ])
    await expect(page.getByText('No duplicate founders')).toBeVisible()
    await page.getByRole('tab', { name: 'Companies 0' }).click()
    await expect(page.getByText('No duplicate companies')).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, '/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
    const bar = page.getByRole('navigation', { name: 'Main' })
    await expect(bar.getByRole('listitem')).toHaveText([
      /Dashboard$/,
      /Founders$/,
      /Companies$/,
      /My Records$/,
      /^More/,
    ])
    // By keyboard alone.
    await bar.getByRole('button', { name: 'More' }).press('Enter')
    const top = async () =>
      (await bar.getByRole('link', { name: 'Data' }).filter({ visible: true }).boundingBox())?.y ?? 0
    await expect.poll(top, 'just above the bar').toBeGreaterThan(600)
    await expect(bar.getByRole('link').filter({ visible: true })).toHaveText([
      ...[/Dashboard$/, /Founders$/, /Companies$/, /My Records$/, 'Pipeline', /^Data/],
    ])
    await expectAccessible(page)
    await bar.getByRole('link', { name: 'Data' }).filter({ visible: true }).press('Enter')
    await expect(page).toHaveURL('/duplicates')
    await expect(bar.getByRole('link', { name: 'Data' }).filter({ visible: true })).toHaveCount(0)
  })
})
