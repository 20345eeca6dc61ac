import type { Page } from '@playwright/test'
import { callApi, expect, expectNoComplaintsButOf, holdLiveStream, join, own, PASSWORD, test } from './product.ts'

const FOUNDER = { linkedIn: 'https://www.linkedin.com/in/s', notes: 'Met at a fair.', rating: 7 }
const SCREENS = ['/', '/founders', '/companies', '/my-records']

const snapshot = (page: Page) => page.locator('#snapshot')

/** The paths of which this browser keeps a snapshot. */
const kept = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage).flatMap((name) => (name.startsWith('snapshot:') ? name.slice('snapshot:'.length) : [])),
  )

/** Opens the screen and leaves it when a snapshot of it is kept. */
const visit = async (page: Page, path: string) => {
  await page.goto(path)
  await expect.poll(() => kept(page)).toContain(path)
}

/** Holds back what draws the page, until the function that it returns is called. */
const holdApp = async (page: Page) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/start-*.js', async (route) => {
    await held
    await route.continue()
  })
  return () => release()
}

/** Where what the eye holds on to stands: the frame, the heading, the counts and the cards. */
const places = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('header, nav a, h1, dl, article, article h2, article button')]
      .map((element) => element.getBoundingClientRect())
      .filter(({ top, width }) => top < window.innerHeight && width > 0)
      .map(({ top, left, right, bottom }) =>
        [top, left, right, Math.min(bottom, window.innerHeight)].map(Math.round).join(),
      ),
  )

test.describe('A screen that was seen before', () => {
  for (const path of SCREENS)
    for (const width of [1440, 390])
      test(`is there before the code that draws it: ${path}, ${width} pixels wide, where everything stood and will stand`, async ({
        page,
      }) => {
        await page.setViewportSize({ width, height: 844 })
        await join(page)
        const name = own('Seen')
        await callApi(page, 'POST', '/founders', { ...FOUNDER, name })
        await callApi(page, 'POST', '/companies', { ...FOUNDER, linkedIn: '', name })
        await visit(page, path)
        const stood = await places(page)
        const release = await holdApp(page)
        await page.reload()
        await expect(snapshot(page).getByText(name).first()).toBeVisible()
        await expect(snapshot(page).locator('h1')).toBeVisible()
        expect(await places(page)).toEqual(stood)
        release()
        await expect(snapshot(page)).toHaveCount(0)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        expect(await places(page)).toEqual(stood)
        expect(stood.length).toBeGreaterThan(5)
      })

  test('is for the eye only until then: nothing in it takes the focus, a click or a letter', async ({ page }) => {
    await join(page)
    await callApi(page, 'POST', '/founders', { ...FOUNDER, name: own('Still') })
    await visit(page, '/founders')
    const release = await holdApp(page)
    await page.reload()
    await expect(snapshot(page).locator('article').first()).toBeVisible()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await expect(page.getByRole('link', { name: 'Add Founder' })).toHaveCount(0)
    const box = snapshot(page).locator('input[type=search]')
    await expect(box).not.toBeEditable()
    const { x = 0, y = 0 } = (await snapshot(page).getByText('Companies').first().boundingBox()) ?? {}
    await page.mouse.click(x + 5, y + 5)
    await expect(page).toHaveURL('/founders')
    release()
    await page.getByRole('searchbox').fill('nobody of this name')
    await expect(page.getByText('No founders found')).toBeVisible()
  })

  test('is drawn as the server has it now, however it was then', async ({ page }) => {
    await join(page)
    const name = own('Then')
    const { id } = (await callApi(page, 'POST', '/founders', { ...FOUNDER, name })).body
    await visit(page, '/founders')
    await page.goto('/auth/verify')
    expect((await callApi(page, 'PUT', `/founders/${id}`, { rating: 9 })).status).toBe(200)
    await page.goto('/founders')
    const card = page.getByRole('article', { name })
    await expect(card).toContainText('9/10')
    await expect(card).not.toContainText('7/10')
  })

  test('is as it was left, down to a word that changed last', async ({ page }) => {
    await join(page)
    const name = own('Last')
    const { id } = (await callApi(page, 'POST', '/founders', { ...FOUNDER, name })).body
    await visit(page, '/founders')
    const sealed = () => page.evaluate(() => localStorage.getItem('snapshot:/founders'))
    const before = await sealed()
    // By another browser of the same person, of which this one hears.
    await callApi(page, 'PUT', `/founders/${id}`, { notes: 'Met at a fair, twice.' })
    await expect(page.getByRole('article', { name })).toContainText('twice.')
    await expect.poll(sealed).not.toBe(before)
    const release = await holdApp(page)
    await page.reload()
    await expect(snapshot(page).locator('article', { hasText: name })).toContainText('twice.')
    release()
    await expect(snapshot(page)).toHaveCount(0)
  })

  test('is looked at anew in a window of another width, and with a search', async ({ page }) => {
    await join(page)
    await callApi(page, 'POST', '/founders', { ...FOUNDER, name: own('Wide') })
    await visit(page, '/founders')
    const release = await holdApp(page)
    await page.goto('/founders?search=wide')
    await expect(page.locator('#root')).toBeEmpty()
    await page.setViewportSize({ width: 800, height: 900 })
    await page.goto('/founders')
    await expect(page.locator('#root')).toBeEmpty()
    release()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})

test.describe('What a browser keeps of screens', () => {
  test('cannot be read in it', async ({ page }) => {
    await join(page)
    const name = own('Sealed')
    await callApi(page, 'POST', '/founders', { ...FOUNDER, name })
    await visit(page, '/founders')
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }))
    expect(stored).toContain('snapshot:/founders')
    expect(stored).not.toContain(name)
    expect(stored).not.toContain('article')
  })

  test('goes when one signs out, and of the next session nothing is kept under the key of the last', async ({
    page,
  }) => {
    const { email } = await join(page)
    await visit(page, '/founders')
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByLabel('Email')).toBeVisible()
    expect(await kept(page)).toEqual([])
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Continue to Platform' }).click()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Access Platform' }).click()
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await page.waitForTimeout(1500)
    expect(await kept(page)).toEqual([])
    await visit(page, '/')
  })

  test('goes when something is changed, as it is not so any more', async ({ page }) => {
    await join(page)
    await visit(page, '/companies')
    await visit(page, '/founders')
    expect((await kept(page)).toSorted()).toEqual(['/companies', '/founders'])
    await page.goto('/founders/add')
    await page.getByLabel('Name').fill(own('New'))
    await page.getByLabel('LinkedIn').fill(FOUNDER.linkedIn)
    await page.getByLabel('Notes').fill(FOUNDER.notes)
    await page.getByRole('button', { name: 'Add to Network' }).click()
    await expect.poll(() => kept(page)).not.toContain('/companies')
  })

  for (const [what, end] of [
    ['has ended elsewhere', (page: Page) => callApi(page, 'POST', '/auth/logout')],
    ['has lost its cookie', (page: Page) => page.context().clearCookies({ name: 'session' })],
  ] as const)
    test(`is shown to nobody whose session ${what}`, async ({ page, complaints }) => {
      await join(page)
      // The page that is open must not meet the end of the session: the next one has to.
      await holdLiveStream(page)
      const name = own('Gone')
      await callApi(page, 'POST', '/founders', { ...FOUNDER, name })
      await visit(page, '/founders')
      const cookies = await page.context().cookies()
      await end(page)
      if (what === 'has ended elsewhere') await page.context().addCookies(cookies)
      await page.addInitScript(() => {
        new MutationObserver(() => {
          if (document.getElementById('snapshot')) Object.assign(window, { wasShown: true })
        }).observe(document, { childList: true, subtree: true })
      })
      await page.goto('/founders')
      await expect(page.getByLabel('Email')).toBeVisible()
      expect(await page.evaluate(() => 'wasShown' in window)).toBe(false)
      // What the screen would have begun with was asked for all the same.
      expectNoComplaintsButOf(complaints, 401)
      expect(await kept(page)).toEqual([])
    })
})
