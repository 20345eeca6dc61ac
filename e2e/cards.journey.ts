import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { callApi, expect, expectNoSidewaysScroll, join, own, startProduct, test, visit } from './product.ts'
import { addCompany, addFounder, card } from './records.ts'

// The layout of cards in a list: their height, the text that the browser finds, and no layout shift.

const INFO = JSON.stringify({
  current_title: 'CEO',
  current_company: 'Analytical Engines',
  bio: 'Builds machines that reckon.',
  email: 'ada@example.com',
})

const cards = (page: Page) => page.getByRole('main').getByRole('article')

/** Founders with five short lines: name, title, bio, links, notes. */
async function openShortFounders(page: Page, count: number, until: Promise<void>) {
  const word = own('S')
  for (let index = 0; index < count; index += 1)
    await addFounder(page, { name: `${word} ${index}`, notes: 'Met at the demo day.' })
  await page.route('**/api/founders?*', async (route) => {
    await until
    const answer = await route.fetch()
    const rows: object[] = await answer.json()
    await route.fulfill({ response: answer, json: rows.map((row) => ({ ...row, additionalInfo: INFO })) })
  })
  await page.goto(`/founders?search=${word}`)
}

/** Adds founders by their numbers. Their notes differ in length, and no two founders are similar. */
async function addFounders(page: Page, from: number, count: number) {
  for (let index = from; index < count; index += 1) {
    const unlike = randomBytes(6).toString('hex')
    await addFounder(page, { name: `${unlike} ${index}`, notes: 'Met again. '.repeat(1 + (index % 9) * 4) })
  }
}

/** Scrolls until the first founder, the last in the list, is visible. */
async function scrollToEnd(page: Page) {
  const last = page.getByRole('heading', { level: 2, name: / 0$/ })
  for (let step = 0; step < 100 && !(await last.isVisible()); step += 1) {
    await page.mouse.wheel(0, 4000)
    await page.waitForTimeout(50)
  }
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()
}

const WINDOWS = [
  { width: 1440, height: 900, count: 5, bar: 0 },
  { width: 390, height: 844, count: 2, bar: 60 },
]

test('A card of five short lines is as high as its placeholder, and fits 5 times into a desktop and 2 times into a phone', async ({
  page,
}) => {
  await join(page)
  for (const { width, height, count, bar } of WINDOWS)
    await test.step(`${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      let release = () => {}
      await openShortFounders(page, count + 1, new Promise((resolve) => (release = resolve)))
      const places = page.getByRole('status', { name: 'Loading founders' })
      await expect(places).toBeVisible()
      const kept = await places.locator('> *').first().boundingBox()
      release()
      await expect(places).toBeHidden()
      await expect(cards(page)).toHaveCount(count + 1)
      expect(await cards(page).first().boundingBox()).toEqual(kept)
      const box = await cards(page)
        .nth(count - 1)
        .boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? height)).toBeLessThanOrEqual(height - bar)
      if (width === 1440) expect(box?.height).toBeLessThanOrEqual(132)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
})

/** What many fellows can put into a record: a name of 100 characters and 20 tags. */
async function addAbsurd(page: Page, word: string) {
  const long = 'Wolfeschlegelsteinhausenbergerdorff'
  const name = `${word} ${long.repeat(3)}`.slice(0, 100)
  const founder = await addFounder(page, { name })
  const company = await addCompany(page, { name, website: 'https://firm.example', description: 'Makes things.' })
  const tags: string[] = []
  for (let index = 0; index < 20; index += 1)
    tags.push((await callApi(page, 'POST', '/tags', { name: `${own('t')} ${long}`.slice(0, 40) })).body.id)
  for (const { id } of [founder, company]) await callApi(page, 'PUT', `/records/${id}/tags`, { tags })
  return { founder, company }
}

test('Cards have two fixed columns: a missing part leaves its column short, and nothing escapes its box', async ({
  page,
  openCaller,
}) => {
  await join(page)
  const word = own('Grid')
  await test.step('one x for notes and one for links over all cards of a list', async () => {
    await addCompany(page, { name: `${word} only notes`, notes: 'Only notes.' })
    await addCompany(page, { name: `${word} a link`, website: 'https://firm.example' })
    await addCompany(page, { name: `${word} a bio`, description: 'Makes things.' })
    const { id } = await addCompany(page, {
      name: `${word} all`,
      description: 'Makes things.',
      website: 'https://a.example',
    })
    for (const content of ['One.', 'Two.', 'Three.']) await callApi(page, 'POST', `/notes/company/${id}`, { content })
    await page.goto(`/companies?search=${word}`)
    await expect(cards(page)).toHaveCount(4)
    const leftOf = (parts: Locator) =>
      parts.evaluateAll((all) => [...new Set(all.map((one) => Math.round(one.getBoundingClientRect().x)))])
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const notes = page.getByRole('heading', { name: 'Original Notes' })
      const links = page.getByRole('list', { name: /^Links of/ })
      await expect(notes).toHaveCount(4)
      await expect(links).toHaveCount(2)
      expect(await leftOf(notes), `notes at ${width}`).toHaveLength(1)
      expect(await leftOf(links), `links at ${width}`).toHaveLength(1)
      if (width === 1440) expect((await leftOf(notes))[0]).toBeGreaterThan(800)
    }
    const fellowNotes = await page.getByRole('list', { name: /^Fellow notes on/ }).boundingBox()
    const notes = await card(page, `${word} all`).getByRole('heading', { name: 'Original Notes' }).boundingBox()
    expect(fellowNotes?.y, 'fellow notes under the Original Notes').toBeGreaterThan(notes?.y ?? 0)
    await page.setViewportSize({ width: 1440, height: 900 })
  })
  await test.step('first two tags, and the number of the others; no page is wider than its screen', async () => {
    const long = own('Long')
    const { founder } = await addAbsurd(page, long)
    for (const path of [
      `/founders?search=${long}`,
      `/companies?search=${long}`,
      `/founders?search=${long}&view=table`,
      `/my-records?search=${long}`,
      '/',
      `/founders/${founder.id}`,
    ]) {
      await visit(page, path)
      await expect(
        page
          .getByRole('main')
          .getByText(new RegExp(`^${long}`))
          .first(),
      ).toBeVisible()
      for (const width of [1440, 768, 390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        await expectNoSidewaysScroll(page)
      }
      if (path === `/founders?search=${long}`) {
        await expect(cards(page).getByText(/^Tag: /)).toHaveCount(2)
        await expect(cards(page).getByText(/^\+18/)).toBeVisible()
      }
    }
  })
  await test.step('on phones Added by and its date are never cut: the name gives way', async () => {
    await page.route('**/api/companies?*', async (route) => {
      const answer = await route.fetch()
      const rows: object[] = await answer.json()
      await route.fulfill({ response: answer, json: rows.map((row) => ({ ...row, createdBy: 'Name '.repeat(20) })) })
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/companies?search=${word} only`)
    const added = page.getByRole('article').getByText(/^Added by/)
    const box = await added.boundingBox()
    const day = await added.locator('time').boundingBox()
    expect(box?.height).toBeLessThanOrEqual(20)
    expect((day?.x ?? 0) + (day?.width ?? 0)).toBeLessThanOrEqual(390 - 16)
    expect(await added.locator('bdi').evaluate((name) => name.scrollWidth > name.clientWidth)).toBe(true)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
  await test.step('text in a right-to-left script is cut at its end, on a card and in the table', async () => {
    const name = own('Right')
    const hebrew = 'שלום '.repeat(60).trim()
    const { id } = await addCompany(page, { name })
    await callApi(page, 'POST', `/notes/company/${id}`, { content: hebrew })
    const { body: tag } = await callApi(page, 'POST', '/tags', { name: `${hebrew.slice(0, 34)} ${own('t')}` })
    await callApi(page, 'PUT', `/records/${id}/tags`, { tags: [tag.id] })
    for (const [width, view] of [
      [1440, ''],
      [390, ''],
      [1440, '&view=table'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`/companies?search=${name}${view}`)
      const text = page.getByRole('main').getByText(hebrew, { exact: true })
      await expect(text).toBeVisible()
      expect(await beginsInSight(text), `${width}${view}`).toBe(true)
      if (view === '')
        expect(await beginsInSight(page.getByRole('main').locator('span > bdi', { hasText: 'שלום' }).first())).toBe(
          true,
        )
    }
  })
  await test.step('the dot between title and company stays beside the title, whatever the width', async () => {
    const name = own('Dot')
    const founder = await addFounder(page, { name })
    await page.route('**/api/founders?*', async (route) => {
      const answer = await route.fetch()
      const rows: object[] = await answer.json()
      const info = {
        current_title: 'Chief Executive Officer and Founder',
        current_company: 'Analyticalenginesincorporatedofberlin',
      }
      await route.fulfill({
        response: answer,
        json: rows.map((row) => ({ ...row, additionalInfo: JSON.stringify(info) })),
      })
    })
    await page.goto(`/founders?search=${name}`)
    const alone = await card(page, founder.name)
      .getByText('Chief Executive Officer')
      .evaluate((title) => {
        const line = title.parentElement as HTMLElement
        const dot = [...line.childNodes].find((node) => node.textContent?.trim() === '·') as Text
        const range = document.createRange()
        range.setStart(dot, dot.data.indexOf('·'))
        range.setEnd(dot, dot.data.indexOf('·') + 1)
        return Array.from({ length: 240 }, (_, index) => 180 + index).filter((width) => {
          line.style.width = `${width}px`
          const above = [...title.getClientRects()].at(-1)?.top ?? 0
          return Math.abs(range.getBoundingClientRect().top - above) > 4
        })
      })
    expect(alone).toEqual([])
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
  await test.step('I met them too stands in one line at 390 pixels, beside two links', async () => {
    const other = await openCaller()
    await join(other)
    const name = own('Met')
    await addFounder(other, { name, email: 'met@example.com' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/founders?search=${name}`)
    const act = card(page, name).getByRole('button', { name: /^I met them too/ })
    await expect(act).toBeVisible()
    expect((await act.boundingBox())?.height).toBeLessThanOrEqual(24)
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

/** Whether the first letter of a text is inside every box that cuts it. */
const beginsInSight = (text: Locator) =>
  text.evaluate((element) => {
    const letters = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
    const range = document.createRange()
    range.setStart(letters, 0)
    range.setEnd(letters, 1)
    const letter = range.getBoundingClientRect()
    for (let box: Element | null = element; box; box = box.parentElement) {
      const { left, right } = box.getBoundingClientRect()
      if (getComputedStyle(box).overflowX !== 'visible' && (letter.left < left - 1 || letter.right > right + 1))
        return false
    }
    return true
  })

/** Scrolls up through many screens, and fails when any drawn element moves. */
async function expectNoShiftUpwards(page: Page) {
  await page.evaluate(() => {
    const seen = window as unknown as { shift: number }
    seen.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift' })
  })
  const scrollY = () => page.evaluate(() => window.scrollY)
  let at = await scrollY()
  for (let screen = 0; screen < 15; screen += 1) {
    await page.mouse.wheel(0, -700)
    // A row that turns out lower or higher than estimated moves the scroll position, and nothing that is drawn.
    await expect.poll(scrollY, { intervals: [50] }).toBeLessThan(at - 400)
    at = await scrollY()
  }
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBe(0)
}

test('A list of up to 200 rows is rendered in full, a longer one only near the viewport; nothing shifts when scrolling up', {
  tag: '@slow',
}, async ({ browser }) => {
  const product = await startProduct()
  const page = await browser.newPage({ baseURL: product.url })
  await join(page)
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name: / 0$/ }) })
  for (const [before, count] of [
    [0, 200],
    [200, 201],
  ] as const) {
    await addFounders(page, before, count)
    await page.goto('/founders')
    await expect(page.getByText(`${count} founders`)).toBeVisible()
    await scrollToEnd(page)
    await expect(row).toHaveAttribute('aria-posinset', String(count))
    if (count > 200) expect(await cards(page).count(), 'only those near the window').toBeLessThan(100)
    else await expect(cards(page)).toHaveCount(count)
    await expectNoShiftUpwards(page)
  }
  await page.close()
  await product.stop()
})
