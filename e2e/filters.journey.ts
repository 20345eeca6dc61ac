import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoSidewaysScrollAtAnyWidth,
  join,
  own,
  test,
  visit,
} from './product.ts'
import { addCompany, addFounder, card, chip, importFile } from './records.ts'
import { walk } from './walk.ts'

/** The day so many days ago. */
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const viewOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true })

test.describe('Filters and sorts', () => {
  test('are in the address and as chips changes live, saved under names, and fit at every width', {
    tag: '@slow',
  }, async ({ page, openCaller }) => {
    await join(page)
    await test.step('are in the address, as chips, and stay by reload, back and forward', async () => {
      const word = own('Filtered')
      for (const rating of [3, 7, 9]) await addFounder(page, { name: `${word} ${rating}`, rating })
      await visit(page, `/founders?search=${word}&ratingMin=5&sort=rating&unknown=1&addedAfter=2026-02-31`)
      await expect(page.getByRole('article')).toHaveCount(2)
      await expect(page.getByRole('article').first()).toContainText(`${word} 9`)
      await expect(page.getByText('Rating 5–10')).toBeVisible()
      await chip(page, 'Rating 5–10').click()
      await page.getByLabel('Rating to').selectOption('8')
      await expect(page.getByRole('article')).toHaveCount(1)
      await expect(page).toHaveURL(/ratingMax=8/)
      await page.reload()
      await expect(card(page, `${word} 7`)).toBeVisible()
      await page.goBack()
      await expect(page.getByRole('article')).toHaveCount(2)
      await page.goForward()
      await expect(page.getByRole('article')).toHaveCount(1)
      await page.getByRole('button', { name: 'Clear all' }).first().click()
      await expect(page.getByRole('article')).toHaveCount(3)
      await expect(page).not.toHaveURL(/ratingM/)
    })
    await test.step('are both kept when two are set before the page has drawn the first', async () => {
      await visit(page, '/founders')
      await chip(page, 'Rating').click()
      await expect(page.getByLabel('Rating to')).toBeVisible()
      await page.evaluate(() => {
        for (const [text, value] of [
          ['Rating from', '5'],
          ['Rating to', '8'],
        ] as const) {
          const label = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === text)
          const select = label?.control as HTMLSelectElement
          select.value = value
          select.dispatchEvent(new Event('change', { bubbles: true }))
        }
      })
      await expect(page.getByText('Rating 5–8')).toBeVisible()
      await expect(page).toHaveURL(/ratingMin=5&ratingMax=8/)
    })
    await test.step('say that nothing matches, and follow changes live', async () => {
      const word = own('Live')
      const { id, version } = await addCompany(page, { name: word })
      await visit(page, `/companies?industry=${word}`)
      await expect(page.getByText('No companies match these filters')).toBeVisible()
      await callApi(page, 'PATCH', `/companies/${id}`, { industry: word, version })
      await expect(card(page, word)).toBeVisible()
    })
    await test.step('find fintech in Berlin rated 8 or more, quiet for two weeks, in six acts', async () => {
      const [quiet, noted, place] = [own('Quiet'), own('Noted'), own('Berlin')]
      const rows = [quiet, noted].map((name) => `${name},Fintech,${place},8`)
      await importFile(page, `${place}.csv`, ['Name,Industry,Headquarters,Rating', ...rows], { kind: 'company' })
      await addCompany(page, { name: own('Added') })
      const { body } = await callApi(page, 'GET', `/companies?search=${noted}`)
      const { body: added } = await callApi(page, 'POST', `/notes/company/${body[0].id}`, { content: 'Met today' })
      await visit(page, '/companies')
      const { press, choose, fill, expectActs } = walk(page)
      await press('button', 'Rating')
      await choose('Rating from', '8')
      await press('button', 'More')
      await fill('Industry', 'Fintech')
      await fill('Place', place)
      await fill('No activity since', dayBefore(14))
      expectActs(6)
      await expect(chip(page, /^No activity since /)).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(1)
      await expect(card(page, quiet)).toBeVisible()
      await page.keyboard.press('Escape')
      await callApi(page, 'DELETE', `/notes/company/${body[0].id}/${added.note.id}`)
      await expect(page.getByRole('article')).toHaveCount(2)
    })
    await test.step('are saved under a name, and changed, saved and reset there, by keyboard too', async () => {
      const [word, name] = [own('Saved'), own('Berlin view')]
      for (const rating of [3, 9]) await addFounder(page, { name: `${word} ${rating}`, rating })
      await visit(page, `/founders?search=${word}&ratingMin=5`)
      const { pressByKey, fill, key, expectActs } = walk(page)
      await pressByKey('button', 'Save')
      const dialog = page.getByRole('dialog', { name: 'Save this list of founders' })
      await expect(dialog.getByLabel('Name')).toBeFocused()
      await fill('What is sought', 'Payments, in Berlin', dialog)
      await fill('Name', name, dialog)
      await expectAccessible(page)
      await key('Enter')
      expectActs(4)
      await expect(viewOf(page, name)).toHaveAttribute('aria-current', 'page')
      await expect(page).toHaveURL(/ratingMin=5&saved=/)
      await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
      await chip(page, 'Rating 5–10').click()
      await page.getByLabel('Rating from').selectOption('2')
      await page.keyboard.press('Escape')
      await expect(page.getByText('Changed', { exact: true })).toBeVisible()
      await page.getByRole('link', { name: 'Reset' }).press('Enter')
      await expect(page.getByText('Changed', { exact: true })).toHaveCount(0)
      await expect(page.getByRole('article')).toHaveCount(1)
      await page.getByRole('button', { name: 'Show as table' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText('Changed', { exact: true })).toHaveCount(0)
      await visit(page, '/founders')
      await expect(page.getByRole('table')).toHaveCount(0)
      await viewOf(page, name).click()
      await expect(page.getByRole('table')).toBeVisible()
      await expectNoSidewaysScrollAtAnyWidth(page)
      await page.setViewportSize({ width: 1280, height: 720 })
    })
    await test.step('are watched, and what others add or change is counted and opened', async () => {
      const [word, name] = [own('Watched'), own('Watched view')]
      const colleague = await openCaller()
      await join(colleague)
      const old = await addFounder(page, { name: `${word} old` })
      await addFounder(page, { name: `${word} other` })
      const search = { name, kind: 'founder', query: `search=${word}` }
      const { body } = await callApi(page, 'POST', '/searches', search)
      await visit(page, `/views/${body.id}`)
      const watching = walk(page)
      await watching.press('button', 'Watch')
      watching.expectActs(1)
      await expect(page.getByRole('button', { name: 'Watching' })).toBeVisible()
      await addFounder(colleague, { name: `${word} new` })
      await callApi(colleague, 'POST', `/notes/founder/${old.id}`, { content: 'Met today' })
      await page.reload()
      const opening = walk(page)
      await opening.press('link', `1 new, 1 changed in ${name}`)
      opening.expectActs(1)
      await expect(page.getByText('New or changed since you last looked')).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(2)
      await expect(card(page, `${word} other`)).toHaveCount(0)
      await expect(page.getByRole('link', { name: `1 new, 1 changed in ${name}` })).toHaveCount(0)
      await viewOf(page, name).click()
      await expect(page.getByRole('article')).toHaveCount(3)
    })
    await test.step('are in the palette and on the board, and their row moves nothing when it comes', async () => {
      const name = own('Board view')
      const search = { name, kind: 'founder', query: 'ratingMin=9&stage=none&sort=rating' }
      await callApi(page, 'POST', '/searches', search)
      await page.addInitScript(() => {
        const shifts = { sum: 0 }
        Object.assign(window, { shifts })
        type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
        new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries() as Shift[]) if (!hadRecentInput) shifts.sum += value
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.route('**/api/searches?*', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 500))
        await route.continue()
      })
      await page.goto('/founders')
      await expect(viewOf(page, name)).toBeVisible()
      await expect(page.getByRole('article').first()).toBeVisible()
      const sum = await page.evaluate(() => (window as unknown as { shifts: { sum: number } }).shifts.sum)
      expect(sum).toBeLessThanOrEqual(0.01)
      await visit(page, '/pipeline')
      await viewOf(page, name).click()
      await expect(page).toHaveURL(/\/pipeline\?show=founders&ratingMin=9&saved=/)
      await page.keyboard.press('Control+k')
      await page.keyboard.type(name)
      await page.getByRole('group', { name: 'Views' }).getByRole('option').click()
      await expect(page).toHaveURL(
        /\/founders\?ratingMin=9&stage=none&sort=rating&saved=|\/founders\?stage=none&ratingMin=9&sort=rating&saved=/,
      )
    })
    await test.step('fit at every width, and pass the accessibility check', async () => {
      await addFounder(page, { name: own('Fit') })
      await visit(page, '/founders?ratingMin=1&sort=rating')
      await chip(page, 'More').click()
      await expect(page.getByRole('combobox', { name: 'Found by' })).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expectNoSidewaysScrollAtAnyWidth(page)
    })
  })
})
