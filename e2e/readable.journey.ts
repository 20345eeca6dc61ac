import type { Locator, Page } from '@playwright/test'
import {
  callApi,
  DESKTOP,
  expect,
  expectAccessible,
  expectAccessibleInForcedColors,
  join,
  own,
  test,
  visit,
} from './product.ts'
import { addCompany, addFounder, card } from './records.ts'

const PHONE = { width: 390, height: 844 }

test('On a phone the name of who added or edited a record gives way to the dates, which are never cut', async ({
  page,
}) => {
  await page.setViewportSize(PHONE)
  await join(page)
  const names = [own('Added'), own('Edited')]
  for (const name of names) await addFounder(page, { name })
  const long = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(3)
  await page.route('**/api/founders?*', async (route) => {
    const answer = await route.fetch()
    const rows: { name: string }[] = await answer.json()
    const edited = { notesEditedBy: long, notesEditedAt: new Date().toISOString() }
    const json = rows.map((row) => ({ ...row, createdBy: long, ...(row.name === names[1] && edited) }))
    await route.fulfill({ response: answer, json })
  })
  await page.goto('/my-records')
  for (const [place, name] of names.entries()) {
    const notes = card(page, name).locator('section', { hasText: 'Original Notes' })
    await expect(notes.locator('time')).toHaveCount(place + 1)
    const endOf = (element: Element) => element.getBoundingClientRect().right
    const end = await notes.evaluate(endOf)
    for (const time of await notes.locator('time').all()) expect(await time.evaluate(endOf)).toBeLessThan(end)
    for (const name of await notes.locator('bdi').all())
      expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeGreaterThan(0)
  }
})

/** Targets that are too low, aside from links in a sentence and boxes with a label, which is the target. */
const lowTargets = (page: Page) =>
  page.locator('a[href], button, select, input').evaluateAll((all) =>
    all
      .filter((one) => {
        const { width, height } = one.getBoundingClientRect()
        const isInSentence = [...(one.parentElement?.childNodes ?? [])].some(
          ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
        )
        return width > 1 && Math.min(width, height) < 24 && !isInSentence && !one.closest('label')
      })
      .map(({ outerHTML }) => outerHTML),
  )

test('Targets are at least 24 px high', { tag: '@slow' }, async ({ page, openCaller }) => {
  const other = await openCaller()
  await join(other, { name: 'The Owner' })
  await join(page)
  const word = own('Target')
  const { id, version } = await addFounder(other, { name: word, notes: 'words and words '.repeat(40) })
  const company = await addCompany(other, { name: `${word} Ltd`, notes: 'words and words '.repeat(40) })
  await callApi(page, 'PATCH', `/founders/${id}`, { title: 'Founder', version })
  await callApi(page, 'PUT', `/founders/${id}/companies/${company.id}`, { role: 'CEO' })
  for (const path of [`notes/founder/${id}`, `notes/company/${company.id}`])
    await callApi(page, 'POST', `/${path}`, { content: 'A note.' })
  const search = `?search=${word}`
  const paths = [
    '/',
    `/founders${search}`,
    `/companies${search}`,
    `/founders${search}&view=table`,
    `/my-records${search}`,
  ]
  for (const path of [...paths, `/founders/${id}`, `/companies/${company.id}`, '/my-figures', '/changes']) {
    const before = await page.title()
    await visit(page, path)
    if (!path.includes('view=table')) await expect(page).not.toHaveTitle(before)
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
      expect(await lowTargets(page), path).toEqual([])
    }
  }
})

/** Whether an element has the colours that the system gives to what is chosen. */
const isHighlighted = (element: Element) => {
  const sample = document.createElement('i')
  sample.style.cssText = 'forced-color-adjust: none; background: Highlight; color: HighlightText'
  document.body.append(sample)
  const coloursOf = (one: Element) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color].join()
  const [wanted, found] = [coloursOf(sample), coloursOf(element)]
  sample.remove()
  return found === wanted
}

const expectHighlighted = (element: Locator) => expect.poll(() => element.evaluate(isHighlighted)).toBe(true)

test('What is chosen is readable in both colour schemes and in forced colours, and passes the check', {
  tag: '@slow',
}, async ({ page }) => {
  await join(page)
  const word = own('Many')
  const { id } = await addFounder(page)
  for (let count = 0; count < 6; count++) {
    const { id, version } = await addCompany(page, { name: `${word} ${count}` })
    await callApi(page, 'PATCH', `/companies/${id}`, { industry: 'Marketplace', version })
  }
  const chosen = page.locator('[data-combobox-selected]')
  await page.goto(`/founders/${id}`)
  await page.getByRole('button', { name: 'Link a company' }).click()
  await page.getByRole('combobox', { name: 'Link which company?' }).fill(word)
  await expect(page.getByRole('option').filter({ hasText: word })).toHaveCount(7)
  await page.keyboard.press('ArrowDown')
  await expect(chosen).toContainText('Marketplace')
  await expectAccessible(page)

  await visit(page, '/founders')
  await page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('combobox', { name: 'Found by' }).click()
  await page.keyboard.press('ArrowDown')
  await expect(chosen).toContainText('Me')
  await expectAccessible(page)

  await test.step('in forced colours it has the colours that the system gives to what is chosen, and a dialog has an edge', async () => {
    await expectAccessibleInForcedColors(page)
    await page.emulateMedia({ forcedColors: 'active' })
    await expectHighlighted(chosen)
    // The list of names, before its panel.
    await page.keyboard.press('Escape')
    await visit(page, '/my-records')
    await expectHighlighted(page.getByRole('link', { name: 'My Records', exact: true }))
    await expectHighlighted(page.getByRole('tab', { selected: true }))
    await visit(page, '/pipeline?mine=true')
    await expectHighlighted(page.getByRole('button', { name: 'Mine', exact: true }))
    for (const segment of await page.locator('.mantine-SegmentedControl-control[data-active]').all())
      await expectHighlighted(segment)
    await visit(page, '/export')
    await expectHighlighted(page.getByRole('navigation', { name: 'Data' }).getByRole('link', { name: 'Export' }))
    await visit(page, `/founders/${id}`)
    await expect(page.getByRole('button', { name: 'Stage: Not started' })).toBeVisible()
    await page.keyboard.press('s')
    await expect(page.getByRole('menuitem').first()).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expectHighlighted(page.getByRole('menuitem').locator(':scope:focus'))
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await page.keyboard.press('Control+k')
    await expectHighlighted(chosen)
    const dialog = page.getByRole('dialog', { name: 'Search' })
    await expect(dialog).toHaveCSS('border-top-width', '1px')
    await expectAccessibleInForcedColors(page)
  })
})
