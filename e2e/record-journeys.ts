import type { Locator, Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  failWith,
  hold,
  holdLiveStream,
  join,
  own,
  test,
  toast,
  today,
} from './product.ts'

/** What a kind of record has to say of itself for the journeys that all kinds share. */
type RecordJourneys = {
  noun: string
  nouns: string
  /** Names of the form's text boxes, in order. */
  fields: string[]
  /** What the form says when it is sent empty. */
  missing: string[]
  /** The field of a web address: its key, its label, the error for a value that is no URL, the name of its link on a card. */
  url: { field: string; label: string; sentence: string; link: string }
  typedAfterName: string[]
  addButton: string
  enrichedToast: string
  refreshedToast: (name: string) => string
  searchPlaceholder: string
  input: Record<string, unknown> & { notes: string }
}

/** Whether the middle of it is in the window. */
const isInSight = async (target: Locator) => {
  const box = (await target.isVisible()) ? await target.boundingBox() : null
  return box !== null && box.y > 100 && box.y < 700
}

const capital = (word: string) => word[0]?.toUpperCase() + word.slice(1)

/** The screens of one kind of record, as people use them. */
export function describeRecordJourneys(kind: RecordJourneys) {
  const path = `/${kind.nouns}`
  const [Noun, Nouns] = [capital(kind.noun), capital(kind.nouns)]
  const add = async (page: Page, wish: Record<string, unknown>) =>
    (await callApi(page, 'POST', path, { ...kind.input, ...wish })).body
  const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
  const searchBox = (page: Page) => page.getByPlaceholder(kind.searchPlaceholder)

  test.describe(`Add ${Noun}`, () => {
    const fill = async (page: Page) => {
      await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
      await page.getByLabel(kind.url.label).fill('https://www.example.com/ada')
      await page.getByLabel('Notes').fill('First of all.')
    }

    test(`has ${kind.fields.join(', ')} and a 10-star rating that is 5, Cancel and ${kind.addButton}`, async ({
      page,
    }) => {
      await join(page)
      await page.goto(`${path}/add`)
      for (const label of kind.fields) await expect(page.getByRole('textbox', { name: label })).toBeVisible()
      await expect(page.getByRole('radio')).toHaveCount(10)
      await expect(page.getByRole('radio', { name: '5 of 10' })).toBeChecked()
      await expect(
        page.getByRole('button', { name: 'Cancel' }).or(page.getByRole('link', { name: 'Cancel' })),
      ).toBeVisible()
      await expect(page.getByRole('button', { name: kind.addButton })).toBeVisible()
      await expectAccessible(page)
    })

    test('says at each field what is missing, and sends nothing', async ({ page }) => {
      await join(page)
      await page.goto(`${path}/add`)
      let sent = 0
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith(`/api${path}`)) sent += 1
      })
      await page.getByRole('button', { name: kind.addButton }).click()
      for (const sentence of kind.missing) {
        await expect(page.getByText(sentence)).toBeVisible()
      }
      await page.getByLabel(kind.url.label).fill('not an address')
      await page.getByRole('button', { name: kind.addButton }).click()
      await expect(page.getByText(kind.url.sentence)).toBeVisible()
      expect(sent).toBe(0)
    })

    test('works by keyboard alone, stars with the arrow keys', async ({ page }) => {
      await join(page)
      await page.goto(`${path}/add`)
      await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
      await page.keyboard.type('Key Board')
      for (const typed of kind.typedAfterName) {
        await page.keyboard.press('Tab')
        await page.keyboard.type(typed)
      }
      await page.keyboard.press('Tab')
      for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('radio', { name: '8 of 10' })).toBeChecked()
      await page.keyboard.press('Enter')
      await expect(toast(page, `${Noun} added successfully!`)).toBeVisible()
      await expect(page).toHaveURL(path)
      await expect(card(page, 'Key Board')).toContainText('8/10')
    })

    test(`a click on a star chooses the rating; adding says so and goes to ${path}, the new one first`, async ({
      page,
    }) => {
      await join(page)
      const name = own('Starred')
      await page.goto(`${path}/add`)
      await fill(page)
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page
        .locator('label')
        .filter({ has: page.getByRole('radio', { name: '3 of 10' }) })
        .click()
      await page.getByRole('button', { name: kind.addButton }).click()
      await expect(toast(page, `${Noun} added successfully!`)).toBeVisible()
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('article').first()).toHaveAccessibleName(name)
      await expect(card(page, name)).toContainText('3/10')
    })

    test('a failure keeps everything that was typed and says why', async ({ page, complaints }) => {
      await join(page)
      await page.goto(`${path}/add`)
      await fill(page)
      await failWith(page, path, 500, {})
      await page.getByRole('button', { name: kind.addButton }).click()
      await expect(toast(page, `Failed to add ${kind.noun}`)).toBeVisible()
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada Lovelace')
      await expect(page.getByLabel('Notes')).toHaveValue('First of all.')
      await page.unroute(`**/api${path}`)
      await failWith(page, path, 400, { error: 'No.', fields: { [kind.url.field]: 'This address is gone' } })
      await page.getByRole('button', { name: kind.addButton }).click()
      await expect(page.getByText('This address is gone')).toBeVisible()
      await expect(page.getByLabel(kind.url.label)).toHaveValue('https://www.example.com/ada')
      expectNoComplaintsButOf(
        complaints.filter((line) => !line.includes('400')),
        500,
      )
      complaints.length = 0
    })

    test(`an answer with enrichedData says ${kind.enrichedToast}`, async ({ page }) => {
      await join(page)
      await page.goto(`${path}/add`)
      await page.route(`**/api${path}`, async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        const answer = await route.fetch()
        return route.fulfill({ response: answer, json: { ...(await answer.json()), enrichedData: { bio: 'x' } } })
      })
      await fill(page)
      await page.getByRole('button', { name: kind.addButton }).click()
      await expect(toast(page, kind.enrichedToast)).toBeVisible()
    })

    test('Cancel goes back at once, and asks only when something was typed', async ({ page }) => {
      await join(page)
      const cancel = page.getByRole('button', { name: 'Cancel' }).or(page.getByRole('link', { name: 'Cancel' }))
      await page.goto(`${path}/add`)
      await cancel.click()
      await expect(page).toHaveURL(path)
      await page.goto(`${path}/add`)
      await page.getByLabel('Notes').fill('Typed.')
      await cancel.click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(page.getByLabel('Notes')).toHaveValue('Typed.')
    })

    test('after a 401 what was typed is offered again to the same account', async ({ page, complaints }) => {
      const { email } = await join(page)
      await holdLiveStream(page)
      await page.goto(`${path}/add`)
      await fill(page)
      await page.context().clearCookies({ name: 'session' })
      await page.getByRole('button', { name: kind.addButton }).click()
      await expect(page).toHaveURL('/auth')
      await page.getByLabel('Email').fill(email)
      await page.keyboard.press('Enter')
      await page.getByLabel('Password', { exact: true }).fill('a long enough password')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(`${path}/add`)
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada Lovelace')
      await expect(page.getByLabel('Notes')).toHaveValue('First of all.')
      expect(complaints.every((line) => /40[13]/.test(line))).toBe(true)
      complaints.length = 0
    })
  })

  test.describe(`Search ${Nouns}`, () => {
    test('shows cards with original notes, creator, date, links and rating', async ({ page }) => {
      await join(page, { name: 'Ada Lovelace' })
      const name = own('Grace')
      await add(page, { name, rating: 7 })
      await page.goto(path)
      const shown = card(page, name)
      await expect(shown).toContainText('Original Notes')
      await expect(shown).toContainText(kind.input.notes)
      await expect(shown).toContainText(`Added by Ada Lovelace · ${today()}`)
      await expect(shown).toContainText('7/10')
      const link = shown.getByRole('link', { name: kind.url.link })
      await expect(link).toHaveAttribute('href', kind.input[kind.url.field] as string)
      await expect(link).toHaveAttribute('rel', /noopener|noreferrer/)
      await expectAccessible(page)
    })

    test(`has the title Search ${Nouns}, a button Add ${Noun}, and a box that searches by name and notes`, async ({
      page,
    }) => {
      await join(page)
      const word = own('Both')
      await add(page, { name: `${word} by name` })
      await add(page, { name: own('Other'), notes: `Noted ${word}.` })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Search ${Nouns}`)
      const button = page.getByRole('main').getByRole('link', { name: `Add ${Noun}` })
      await expect(button).toHaveAttribute('href', `${path}/add`)
      await searchBox(page).fill(word.toLowerCase())
      await expect(page.getByText(`2 ${kind.nouns}`)).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(2)
    })

    test('takes / to the search box, keeps the query in the URL, counts, and marks what matched', async ({ page }) => {
      await join(page)
      const word = own('Needle')
      for (const index of [1, 2]) await add(page, { name: `${word} ${index}`, notes: 'Hay.' })
      await page.goto(path)
      await expect(card(page, `${word} 1`)).toBeVisible()
      await page.keyboard.press('/')
      await expect(searchBox(page)).toBeFocused()
      await page.keyboard.type(word.toUpperCase())
      await expect(page).toHaveURL(`${path}?search=${word.toUpperCase()}`)
      await expect(page.getByText(`2 ${kind.nouns}`)).toBeVisible()
      await expect(card(page, `${word} 1`).locator('mark').first()).toHaveText(word)
      await page.reload()
      await expect(searchBox(page)).toHaveValue(word.toUpperCase())
      await expect(page.getByText(`2 ${kind.nouns}`)).toBeVisible()
    })

    test('searching as one types ends what is outdated, and only the last answer is shown', async ({ page }) => {
      await join(page)
      const word = own('Typed')
      for (const end of ['x', 'xy']) await add(page, { name: `${word}${end}` })
      await page.goto(path)
      await expect(page.getByRole('article').first()).toBeVisible()
      const release = await hold(page, `${path}?*search=${word}x`)
      const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith(`search=${word}x`))
      const asked = page.waitForRequest((request) => request.url().endsWith(`search=${word}x`))
      await searchBox(page).fill(`${word}x`)
      await asked
      await searchBox(page).fill(`${word}xy`)
      expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED')
      await expect(page.getByText(`1 ${kind.noun}`, { exact: true })).toBeVisible()
      release()
      await page.waitForTimeout(300)
      await expect(page.getByText(`1 ${kind.noun}`, { exact: true })).toBeVisible()
      await expect(searchBox(page)).toHaveValue(`${word}xy`)
    })

    test(`while searching without a match says No ${kind.nouns} found, Try adjusting your search terms`, async ({
      page,
    }) => {
      await join(page)
      await page.goto(`${path}?search=${own('missing')}`)
      await expect(page.getByText(`No ${kind.nouns} found`)).toBeVisible()
      await expect(page.getByText('Try adjusting your search terms')).toBeVisible()
      await expectAccessible(page)
    })

    test(`before anything was added says Start Sourcing ${Nouns}, with an add button`, async ({ page }) => {
      await join(page)
      await page.route(`**/api${path}?*`, (route) => route.fulfill({ json: [], headers: { 'x-total-count': '0' } }))
      await page.goto(path)
      await expect(page.getByText(`Start Sourcing ${Nouns}`)).toBeVisible()
      await page
        .getByRole('main')
        .getByRole('link', { name: `Add ${Noun}` })
        .last()
        .click()
      await expect(page).toHaveURL(`${path}/add`)
    })

    test(`a failure says Failed to fetch ${kind.nouns} and offers to try again`, async ({ page, complaints }) => {
      await join(page)
      const name = own('Later')
      await add(page, { name })
      // The live stream cannot ask again before this journey does.
      await holdLiveStream(page)
      await page.route(`**/api${path}?*`, (route) => route.fulfill({ status: 500, json: {} }))
      await page.goto(path)
      await expect(toast(page, `Failed to fetch ${kind.nouns}`)).toBeVisible()
      await page.unroute(`**/api${path}?*`)
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(card(page, name)).toBeVisible()
      expectNoComplaintsButOf(complaints, 500)
    })

    test('loads further pages as one scrolls, and keeps its place on the way back', async ({ page }) => {
      await join(page)
      const word = own('Scroll')
      for (let index = 0; index < 60; index += 1) await add(page, { name: `${word} ${index}` })
      await page.goto(`${path}?search=${word}`)
      await expect(page.getByText(`60 ${kind.nouns}`)).toBeVisible()
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
      const left = await middle.boundingBox()
      await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
      await page.goBack()
      await expect(middle).toBeVisible()
      expect(await middle.boundingBox()).toEqual(left)
    })

    test('the keyboard goes from card to card, also to those that were not drawn', async ({ page }) => {
      await join(page)
      const word = own('Tabbed')
      for (let index = 0; index < 30; index += 1) await add(page, { name: `${word} ${index}` })
      await page.goto(`${path}?search=${word}`)
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
      // The card that has the keyboard stays, however far away it is scrolled.
      await page.evaluate(() => window.scrollTo(0, 0))
      await expect(card(page, `${word} 29`)).toBeInViewport()
      await expect(refreshButton(0)).toBeFocused()
    })

    test('on paper every card is there that was loaded', async ({ page }) => {
      await join(page)
      const word = own('Paper')
      for (let index = 0; index < 40; index += 1) await add(page, { name: `${word} ${index}` })
      await page.goto(`${path}?search=${word}`)
      await expect(page.getByText(`40 ${kind.nouns}`)).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
      await expect(page.getByRole('main').getByRole('article')).toHaveCount(40)
      const tops = await page
        .getByRole('article')
        .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top))
      expect(tops.every((top, index) => index === 0 || top > (tops[index - 1] as number) + 50)).toBe(true)
    })

    test('shows text that would be a script as text', async ({ page }) => {
      await join(page)
      const word = own('Inert')
      const payload = `${word} <img src=x onerror=alert(1)> "><script>alert(2)</script>`
      await add(page, { name: payload, notes: payload })
      await page.goto(`${path}?search=${word}`)
      await expect(page.getByRole('heading', { name: payload })).toBeVisible()
      expect(await page.locator('main img').count()).toBe(0)
    })
  })

  test.describe(`Refreshing a ${kind.noun}`, () => {
    test('runs one at a time: the other buttons are disabled meanwhile', async ({ page }) => {
      await join(page)
      const word = own('Busy')
      for (const index of [1, 2]) await add(page, { name: `${word} ${index}` })
      await page.goto(`${path}?search=${word}`)
      const release = await hold(page, `${path}/*/refresh`)
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
    })

    test('that finds data says so, and reloads the list', async ({ page }) => {
      await join(page)
      const name = own('Found')
      await add(page, { name })
      await page.goto(`${path}?search=${name}`)
      await page.route(`**/api${path}/*/refresh`, (route) =>
        route.fulfill({ json: { success: true, enrichedData: { bio: 'x' } } }),
      )
      await card(page, name)
        .getByRole('button', { name: /^Refresh/ })
        .click()
      await expect(toast(page, kind.refreshedToast(name))).toBeVisible()
      await expect(card(page, name)).toBeVisible()
    })

    test('that finds nothing tells the sentence of the server as information', async ({ page }) => {
      await join(page)
      const name = own('Nothing')
      await add(page, { name })
      await page.goto(`${path}?search=${name}`)
      await card(page, name)
        .getByRole('button', { name: /^Refresh/ })
        .click()
      await expect(toast(page, 'No source of public data is set up')).toBeVisible()
      await expect(card(page, name)).toBeVisible()
    })

    test(`that fails says Failed to refresh ${kind.noun} data`, async ({ page, complaints }) => {
      await join(page)
      const name = own('Fails')
      await add(page, { name })
      await page.goto(`${path}?search=${name}`)
      await failWith(page, `${path}/*/refresh`, 500, {})
      await card(page, name)
        .getByRole('button', { name: /^Refresh/ })
        .click()
      await expect(toast(page, `Failed to refresh ${kind.noun} data`)).toBeVisible()
      expectNoComplaintsButOf(complaints, 500)
    })
  })
}
