import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  failWith,
  hold,
  signUp,
  test,
  toast,
} from './product.ts'

const FOUNDER = { name: 'Grace Hopper', linkedIn: 'https://www.linkedin.com/in/grace-hopper', notes: 'Compilers.' }

const add = async (page: Page, wish: Record<string, unknown> = {}) =>
  (await callApi(page, 'POST', '/founders', { ...FOUNDER, ...wish })).body

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const searchBox = (page: Page) => page.getByPlaceholder('Search by name, notes, or company')

/** A word that only this journey's records have, since journeys share a product. */
let number = 0
const own = (word: string) => `${word}${process.pid}x${++number}`

test.describe('Add Founder', () => {
  const fill = async (page: Page) => {
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.getByLabel('LinkedIn profile').fill('https://www.linkedin.com/in/ada')
    await page.getByLabel('Notes').fill('First of all.')
  }

  test('has name, LinkedIn profile, notes and a 10-star rating that is 5, Cancel and Add to Network', async ({
    page,
  }) => {
    await signUp(page)
    await page.goto('/founders/add')
    for (const label of ['LinkedIn profile', 'Notes']) await expect(page.getByLabel(label)).toBeVisible()
    await expect(page.getByRole('radio')).toHaveCount(10)
    await expect(page.getByRole('radio', { name: '5 of 10' })).toBeChecked()
    await expect(
      page.getByRole('button', { name: 'Cancel' }).or(page.getByRole('link', { name: 'Cancel' })),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add to Network' })).toBeVisible()
    await expectAccessible(page)
  })

  test('says at each field what is missing, and sends nothing', async ({ page }) => {
    await signUp(page)
    await page.goto('/founders/add')
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/founders')) sent += 1
    })
    await page.getByRole('button', { name: 'Add to Network' }).click()
    for (const sentence of ['Name is required', 'LinkedIn profile is required', 'Notes are required']) {
      await expect(page.getByText(sentence)).toBeVisible()
    }
    await page.getByLabel('LinkedIn profile').fill('linkedin.com/in/ada')
    await page.getByRole('button', { name: 'Add to Network' }).click()
    await expect(
      page.getByText('LinkedIn profile must be a full address that begins with https:// or http://'),
    ).toBeVisible()
    expect(sent).toBe(0)
  })

  test('works by keyboard alone, stars with the arrow keys', async ({ page }) => {
    await signUp(page)
    await page.goto('/founders/add')
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await page.keyboard.type('Key Board')
    await page.keyboard.press('Tab')
    await page.keyboard.type('https://www.linkedin.com/in/key')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Typed.')
    await page.keyboard.press('Tab')
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: '8 of 10' })).toBeChecked()
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Founder added successfully!')).toBeVisible()
    await expect(page).toHaveURL('/founders')
    await expect(card(page, 'Key Board')).toContainText('8/10')
  })

  test('a failure keeps everything that was typed and says why', async ({ page, complaints }) => {
    await signUp(page)
    await page.goto('/founders/add')
    await fill(page)
    await failWith(page, '/founders', 500, {})
    await page.getByRole('button', { name: 'Add to Network' }).click()
    await expect(toast(page, 'Failed to add founder')).toBeVisible()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada Lovelace')
    await expect(page.getByLabel('Notes')).toHaveValue('First of all.')
    await page.unroute('**/api/founders')
    await failWith(page, '/founders', 400, { error: 'No.', fields: { linkedIn: 'This profile is gone' } })
    await page.getByRole('button', { name: 'Add to Network' }).click()
    await expect(page.getByText('This profile is gone')).toBeVisible()
    await expect(page.getByLabel('LinkedIn profile')).toHaveValue('https://www.linkedin.com/in/ada')
    expectNoComplaintsButOf(
      complaints.filter((line) => !line.includes('400')),
      500,
    )
    complaints.length = 0
  })

  test('an answer with enrichedData says Founder added and enriched with LinkedIn data!', async ({ page }) => {
    await signUp(page)
    await page.goto('/founders/add')
    await page.route('**/api/founders', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const answer = await route.fetch()
      return route.fulfill({ response: answer, json: { ...(await answer.json()), enrichedData: { bio: 'x' } } })
    })
    await fill(page)
    await page.getByRole('button', { name: 'Add to Network' }).click()
    await expect(toast(page, 'Founder added and enriched with LinkedIn data!')).toBeVisible()
  })

  test('Cancel goes back at once, and asks only when something was typed', async ({ page }) => {
    await signUp(page)
    const cancel = page.getByRole('button', { name: 'Cancel' }).or(page.getByRole('link', { name: 'Cancel' }))
    await page.goto('/founders/add')
    await cancel.click()
    await expect(page).toHaveURL('/founders')
    await page.goto('/founders/add')
    await page.getByLabel('Notes').fill('Typed.')
    await cancel.click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByLabel('Notes')).toHaveValue('Typed.')
  })

  test('after a 401 what was typed is offered again to the same account', async ({ page, complaints }) => {
    const { email } = await signUp(page)
    await page.goto('/founders/add')
    await fill(page)
    await page.context().clearCookies({ name: 'session' })
    await page.getByRole('button', { name: 'Add to Network' }).click()
    await expect(page).toHaveURL('/auth')
    await page.getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).fill('a long enough password')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/founders/add')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada Lovelace')
    await expect(page.getByLabel('Notes')).toHaveValue('First of all.')
    expect(complaints.every((line) => /40[13]/.test(line))).toBe(true)
    complaints.length = 0
  })
})

test.describe('Search Founders', () => {
  test('shows cards with original notes, creator, date, links and rating', async ({ page }) => {
    await signUp(page, { name: 'Ada Lovelace' })
    const name = own('Grace')
    await add(page, { name, rating: 7 })
    await page.goto('/founders')
    const shown = card(page, name)
    await expect(shown).toContainText('Original Notes')
    await expect(shown).toContainText('Compilers.')
    await expect(shown).toContainText('Added by Ada Lovelace')
    await expect(shown).toContainText('7/10')
    await expect(shown.getByRole('link', { name: 'LinkedIn' })).toHaveAttribute('href', FOUNDER.linkedIn)
    await expect(shown.getByRole('link', { name: 'LinkedIn' })).toHaveAttribute('rel', /noopener|noreferrer/)
    await expectAccessible(page)
  })

  test('takes / to the search box, keeps the query in the URL, counts, and marks what matched', async ({ page }) => {
    await signUp(page)
    const word = own('Needle')
    for (const index of [1, 2]) await add(page, { name: `${word} ${index}`, notes: 'Hay.' })
    await page.goto('/founders')
    await expect(card(page, `${word} 1`)).toBeVisible()
    await page.keyboard.press('/')
    await expect(searchBox(page)).toBeFocused()
    await page.keyboard.type(word.toUpperCase())
    await expect(page).toHaveURL(`/founders?search=${word.toUpperCase()}`)
    await expect(page.getByText('2 founders')).toBeVisible()
    await expect(card(page, `${word} 1`).locator('mark').first()).toHaveText(word)
    await page.reload()
    await expect(searchBox(page)).toHaveValue(word.toUpperCase())
    await expect(page.getByText('2 founders')).toBeVisible()
  })

  test('while searching without a match says No founders found, Try adjusting your search terms', async ({ page }) => {
    await signUp(page)
    await page.goto(`/founders?search=${own('nobody')}`)
    await expect(page.getByText('No founders found')).toBeVisible()
    await expect(page.getByText('Try adjusting your search terms')).toBeVisible()
    await expectAccessible(page)
  })

  test('before anything was added says Start Sourcing Founders, with an add button', async ({ page }) => {
    await signUp(page)
    await page.route('**/api/founders?*', (route) => route.fulfill({ json: [], headers: { 'x-total-count': '0' } }))
    await page.goto('/founders')
    await expect(page.getByText('Start Sourcing Founders')).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Add Founder' }).last().click()
    await expect(page).toHaveURL('/founders/add')
  })

  test('a failure says Failed to fetch founders and offers to try again', async ({ page, complaints }) => {
    await signUp(page)
    const name = own('Later')
    await add(page, { name })
    await page.route('**/api/founders?*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/founders')
    await expect(toast(page, 'Failed to fetch founders')).toBeVisible()
    await page.unroute('**/api/founders?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(card(page, name)).toBeVisible()
    expectNoComplaintsButOf(complaints, 500)
  })

  test('loads further pages as one scrolls, and keeps its place on the way back', async ({ page }) => {
    await signUp(page)
    const word = own('Scroll')
    for (let index = 0; index < 60; index += 1) await add(page, { name: `${word} ${index}` })
    await page.goto(`/founders?search=${word}`)
    await expect(page.getByText('60 founders')).toBeVisible()
    await expect(card(page, `${word} 59`)).toBeVisible()
    for (let step = 0; step < 30 && !(await card(page, `${word} 0`).isVisible()); step += 1) {
      await page.mouse.wheel(0, 3000)
      await page.waitForTimeout(100)
    }
    await expect(card(page, `${word} 0`)).toBeVisible()
  })

  test('shows text that would be a script as text', async ({ page }) => {
    await signUp(page)
    const word = own('Inert')
    const payload = `${word} <img src=x onerror=alert(1)> "><script>alert(2)</script>`
    await add(page, { name: payload, notes: payload })
    await page.goto(`/founders?search=${word}`)
    await expect(page.getByRole('heading', { name: payload })).toBeVisible()
    expect(await page.locator('main img').count()).toBe(0)
  })
})

test.describe('Refreshing a founder', () => {
  test('runs one at a time: the other buttons are disabled meanwhile', async ({ page }) => {
    await signUp(page)
    const word = own('Busy')
    for (const index of [1, 2]) await add(page, { name: `${word} ${index}` })
    await page.goto(`/founders?search=${word}`)
    const release = await hold(page, '/founders/*/refresh')
    const buttons = page.getByRole('main').getByRole('button', { name: /^Refresh/ })
    await expect(buttons).toHaveCount(2)
    await buttons.first().click()
    await expect(buttons.last()).toBeDisabled()
    release()
    await expect(buttons.last()).toBeEnabled()
  })

  test('that finds data says so, empties the list, waits 500 ms and reloads', async ({ page }) => {
    await signUp(page)
    const name = own('Found')
    await add(page, { name })
    await page.goto(`/founders?search=${name}`)
    await page.route('**/api/founders/*/refresh', (route) =>
      route.fulfill({ json: { success: true, enrichedData: { bio: 'x' } } }),
    )
    await card(page, name)
      .getByRole('button', { name: /^Refresh/ })
      .click()
    await expect(toast(page, `${name} refreshed with latest LinkedIn data!`)).toBeVisible()
    await expect(card(page, name)).toBeHidden()
    await expect(card(page, name)).toBeVisible()
  })

  test('that finds nothing tells the sentence of the server as information', async ({ page }) => {
    await signUp(page)
    const name = own('Nothing')
    await add(page, { name })
    await page.goto(`/founders?search=${name}`)
    await card(page, name)
      .getByRole('button', { name: /^Refresh/ })
      .click()
    await expect(toast(page, 'No source of outside data is set up, so nothing was looked up')).toBeVisible()
    await expect(card(page, name)).toBeVisible()
  })

  test('that fails says Failed to refresh founder data', async ({ page, complaints }) => {
    await signUp(page)
    const name = own('Fails')
    await add(page, { name })
    await page.goto(`/founders?search=${name}`)
    await failWith(page, '/founders/*/refresh', 500, {})
    await card(page, name)
      .getByRole('button', { name: /^Refresh/ })
      .click()
    await expect(toast(page, 'Failed to refresh founder data')).toBeVisible()
    expectNoComplaintsButOf(complaints, 500)
  })
})

test.describe('At every width, in light and dark', () => {
  const ABSURD = {
    name: `${'Wolfeschlegelsteinhausenbergerdorff'.repeat(3)} \u0645\u062d\u0645\u062f \u{1f98a}`,
    notes: `${'n'.repeat(400)} ${'words and words '.repeat(100)}`,
  }

  for (const width of [1440, 768, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${width} pixels, ${colorScheme}: no screen scrolls sideways or keeps anyone out`, async ({ page }) => {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 800 })
        await page.goto('/auth')
        await expect(page.getByLabel('Email')).toBeVisible()
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
        await signUp(page, { name: 'A fellow with a rather long name, longer than most others have' })
        await add(page, ABSURD)
        for (const path of ['/', '/founders', '/founders/add']) {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await page.waitForLoadState('networkidle')
          await expectNoSidewaysScroll(page)
          await expectAccessible(page)
        }
      })
    }
  }
})
