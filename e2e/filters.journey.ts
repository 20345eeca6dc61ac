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

test.describe('Filters and sorts', () => {
  test('are in the address and as chips changes live, and fit at every width', { tag: '@slow' }, async ({ page }) => {
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
