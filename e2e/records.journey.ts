import type { Locator, Page } from '@playwright/test'
import {
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  failWith,
  hold,
  holdLiveStream,
  join,
  own,
  PASSWORD,
  test,
  toast,
  visit,
} from './product.ts'
import { addFounder, card } from './records.ts'

// Journeys that all kinds of records share, with founders as the example. `record-journeys.ts` has the rest.

const searchBox = (page: Page) => page.getByPlaceholder('Search by name, notes, or company')

const fill = async (page: Page) => {
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.getByLabel('LinkedIn profile').fill('https://www.example.com/ada')
  await page.getByLabel('Notes').fill('First of all.')
}

/** Whether its middle is in the viewport. */
const isInSight = async (target: Locator) => {
  const box = (await target.isVisible()) ? await target.boundingBox() : null
  return box !== null && box.y > 100 && box.y < 700
}

test.describe('Adding a record', () => {
  test('keeps what is typed when it fails or is cancelled, and leads to the list with the new record first', async ({
    page,
    complaints,
  }) => {
    await join(page)
    await test.step('Cancel goes back immediately, and asks only when something was typed', async () => {
      const cancel = page.getByRole('button', { name: 'Cancel' }).or(page.getByRole('link', { name: 'Cancel' }))
      await visit(page, '/founders/add')
      await cancel.click()
      await expect(page).toHaveURL('/founders')
      await visit(page, '/founders/add')
      await page.getByLabel('Notes').fill('Typed.')
      await cancel.click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(page.getByLabel('Notes')).toHaveValue('Typed.')
    })
    await test.step('a failure keeps the typed text and shows the reason', async () => {
      await visit(page, '/founders/add')
      await fill(page)
      await failWith(page, '/founders', 500, {})
      await page.getByRole('button', { name: 'Add to Network' }).click()
      await expect(toast(page, 'Failed to add founder')).toBeVisible()
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada Lovelace')
      await expect(page.getByLabel('Notes')).toHaveValue('First of all.')
      await page.unroute('**/api/founders')
      await failWith(page, '/founders', 400, { error: 'No.', fields: { linkedIn: 'This address is gone' } })
      await page.getByRole('button', { name: 'Add to Network' }).click()
      await expect(page.getByText('This address is gone')).toBeVisible()
      await expect(page.getByLabel('LinkedIn profile')).toHaveValue('https://www.example.com/ada')
      expectNoComplaintsButOf(complaints, 400, 500)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('a click on a star chooses the rating; adding shows a toast and goes to /founders, with the new founder first', async () => {
      const name = own('Starred')
      await visit(page, '/founders/add')
      await fill(page)
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page
        .locator('label')
        .filter({ has: page.getByRole('radio', { name: '3 of 10' }) })
        .click()
      await page.getByRole('button', { name: 'Add to Network' }).click()
      await expect(toast(page, 'Founder added successfully!')).toBeVisible()
      await expect(page).toHaveURL('/founders')
      await expect(page.getByRole('article').first()).toHaveAccessibleName(name)
      await expect(card(page, name)).toContainText('3/10')
    })
  })

  test('after a 401 the draft is restored for the same account', async ({ page, complaints }) => {
    const { email } = await join(page)
    await holdLiveStream(page)
    await page.goto('/founders/add')
    const searched = page.waitForResponse(/similar\?name=.*linkedIn=/)
    await fill(page)
    await searched
    await page.context().clearCookies({ name: 'session' })
    await page.getByRole('button', { name: 'Add to Network' }).click()
    await expect(page).toHaveURL('/auth')
    await page.getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/founders/add')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada Lovelace')
    await expect(page.getByLabel('Notes')).toHaveValue('First of all.')
    expect(complaints.every((line) => /40[13]/.test(line))).toBe(true)
    complaints.length = 0
  })
})

test.describe('Searching records', () => {
  test('finds as one types, with the last result only, and says when it failed', async ({ page, complaints }) => {
    await join(page)
    await test.step(`a failure says Failed to fetch founders and offers to try again`, async () => {
      const name = own('Later')
      await addFounder(page, { name })
      // The live stream must not refetch before this journey does.
      await holdLiveStream(page)
      await page.route(`**/api/founders?*`, (route) => route.fulfill({ status: 500, json: {} }))
      await visit(page, `/founders?search=${name}`)
      await expect(toast(page, `Failed to fetch founders`)).toBeVisible()
      await page.unroute(`**/api/founders?*`)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(card(page, name)).toBeVisible()
      expectNoComplaintsButOf(complaints, 500)
    })
    await test.step('takes / to the search box, keeps the query in the URL, counts, and marks what matched', async () => {
      const word = own('Needle')
      for (const index of [1, 2]) await addFounder(page, { name: `${word} ${index}`, notes: 'Hay.' })
      await visit(page, '/founders')
      await expect(card(page, `${word} 1`)).toBeVisible()
      await page.keyboard.press('/')
      await expect(searchBox(page)).toBeFocused()
      await page.keyboard.type(word.toUpperCase())
      await expect(page).toHaveURL(`/founders?search=${word.toUpperCase()}`)
      await expect(page.getByText(`2 founders`)).toBeVisible()
      await expect(card(page, `${word} 1`).locator('mark').first()).toHaveText(word)
      await page.reload()
      await expect(searchBox(page)).toHaveValue(word.toUpperCase())
      await expect(page.getByText(`2 founders`)).toBeVisible()
    })
    await test.step('search as you type cancels outdated requests, and shows only the last result', async () => {
      const word = own('Typed')
      for (const end of ['x', 'xy']) await addFounder(page, { name: `${word}${end}` })
      await visit(page, '/founders')
      await expect(page.getByRole('article').first()).toBeVisible()
      const release = await hold(page, `/founders?*search=${word}x`)
      const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(`search=${word}x`))
      const asked = page.waitForRequest((request) => request.url().endsWith(`search=${word}x`))
      await searchBox(page).fill(`${word}x`)
      await asked
      await searchBox(page).fill(`${word}xy`)
      expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED')
      await expect(page.getByText(`1 founder`, { exact: true })).toBeVisible()
      release()
      await page.waitForTimeout(300)
      await expect(page.getByText(`1 founder`, { exact: true })).toBeVisible()
      await expect(searchBox(page)).toHaveValue(`${word}xy`)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
  })

  test('has every card within reach: on scroll, by keyboard and on paper, and refreshes one at a time', {
    tag: '@slow',
  }, async ({ page }) => {
    await join(page)
    await test.step('loads further pages on scroll, and restores the scroll position on going back', async () => {
      const word = own('Scroll')
      for (let index = 0; index < 60; index += 1) await addFounder(page, { name: `${word} ${index}` })
      await visit(page, `/founders?search=${word}`)
      await expect(page.getByText(`60 founders`)).toBeVisible()
      await expect(card(page, `${word} 59`)).toBeVisible()
      const last = card(page, `${word} 0`)
      for (let step = 0; step < 30 && !(await last.isVisible()); step += 1) {
        await page.mouse.wheel(0, 3000)
        await page.waitForTimeout(100)
      }
      await expect(last).toBeVisible()
      const row = page.getByRole('listitem').filter({ has: last })
      await expect(row).toHaveAttribute('aria-posinset', '60')
      await expect(row).toHaveAttribute('aria-setsize', '60')

      const middle = card(page, `${word} 30`)
      for (let step = 0; step < 30 && !(await isInSight(middle)); step += 1) {
        await page.mouse.wheel(0, -400)
        await page.waitForTimeout(100)
      }
      // Views that someone has shared meanwhile would move the card, not the page.
      const scrolledTo = () => page.evaluate(() => window.scrollY)
      const left = await scrolledTo()
      expect(left).toBeGreaterThan(1_000)
      await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
      await page.goBack()
      await expect(middle).toBeVisible()
      expect(await scrolledTo()).toBe(left)
    })
    await test.step('the keyboard moves from card to card, also to cards that were not rendered', async () => {
      const word = own('Tabbed')
      for (let index = 0; index < 30; index += 1) await addFounder(page, { name: `${word} ${index}` })
      await visit(page, `/founders?search=${word}`)
      const refreshButton = (index: number) =>
        page.getByRole('button', { name: `Refresh ${word} ${index}`, exact: true })
      await refreshButton(29).focus()
      const visited: string[] = []
      for (let presses = 0; presses < 200 && visited.length < 29; presses += 1) {
        await page.keyboard.press('Tab')
        const name = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
        if (name.startsWith('Refresh')) visited.push(name)
      }
      expect(visited).toEqual(Array.from({ length: 29 }, (_, index) => `Refresh ${word} ${28 - index}`))
      await expect(refreshButton(0)).toBeFocused()
      // The focused card stays rendered, however far the list scrolls.
      await page.evaluate(() => window.scrollTo(0, 0))
      await expect(card(page, `${word} 29`)).toBeInViewport()
      await expect(refreshButton(0)).toBeFocused()
    })
    await test.step('a refresh runs one at a time: the other buttons are disabled until it ends', async () => {
      const word = own('Busy')
      for (const index of [1, 2]) await addFounder(page, { name: `${word} ${index}` })
      await visit(page, `/founders?search=${word}`)
      const release = await hold(page, `/founders/*/refresh`)
      const buttons = page.getByRole('main').getByRole('button', { name: /^Refresh/ })
      await expect(buttons).toHaveCount(2)
      const look = () =>
        buttons.last().evaluate((button) => {
          const { color, backgroundColor, borderColor, opacity } = getComputedStyle(button)
          return { color, backgroundColor, borderColor, opacity }
        })
      const before = await look()
      await buttons.first().click()
      await expect(buttons.last()).toBeDisabled()
      expect(await look(), 'disabled, and nothing to see of it').toEqual(before)
      release()
      await expect(buttons.last()).toBeEnabled()
      await expect(buttons.first()).toBeFocused()
    })
    await test.step('printing includes every loaded card', async () => {
      const word = own('Paper')
      for (let index = 0; index < 40; index += 1) await addFounder(page, { name: `${word} ${index}` })
      await visit(page, `/founders?search=${word}`)
      await expect(page.getByText(`40 founders`)).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
      await expect(page.getByRole('main').getByRole('article')).toHaveCount(40)
      const tops = await page
        .getByRole('article')
        .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top))
      expect(tops.every((top, index) => index === 0 || top > (tops[index - 1] as number) + 50)).toBe(true)
    })
  })
})
