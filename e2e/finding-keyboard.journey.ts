import type { Page } from '@playwright/test'
import { press, tabTo } from './keys.ts'
import { callApi, expect, expectAccessible, expectNoSidewaysScroll, join, own, test } from './product.ts'
import { addCompany, addFounder } from './records.ts'

const SCREENS = [
  { kind: 'founders', noun: 'founder', add: addFounder, width: 1440, colorScheme: 'dark' },
  { kind: 'companies', noun: 'company', add: addCompany, width: 390, colorScheme: 'light' },
] as const

const chips = (page: Page) => page.getByRole('list', { name: 'Filters' })
const rows = (page: Page, word: string) => page.getByRole('row').filter({ hasText: word })

/** Sets a field of the panel of a chip: lists choose the option that begins with what is typed. */
async function set(page: Page, role: 'combobox' | 'textbox', label: string, typed: string) {
  await tabTo(page.getByRole('dialog'), role, label)
  await page.keyboard.type(typed)
}

for (const { kind, noun, add, width, colorScheme } of SCREENS) {
  test(`${kind} are filtered, sorted and read one by one by keyboard alone, at ${width} pixels in ${colorScheme} mode`, {
    tag: '@slow',
  }, async ({ page }) => {
    const check = async () => {
      for (const wide of [768, width]) {
        await page.setViewportSize({ width: wide, height: 844 })
        await expectNoSidewaysScroll(page)
      }
    }
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const me = own('Keys')
    await join(page, { name: me })
    const word = own('Walked')
    for (const rating of [3, 6, 7]) {
      const { id, version } = await add(page, { name: `${word} ${rating}`, rating })
      await callApi(page, 'POST', `/notes/${noun}/${id}`, { content: 'Noted' })
      if (kind === 'companies')
        await callApi(page, 'PATCH', `/companies/${id}`, { industry: 'Fintech', place: 'Paris', version })
    }
    await page.goto(`/${kind}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type(word)
    await expect(page.getByText(`3 ${kind}`)).toBeVisible()

    await tabTo(page, 'combobox', 'Sort by')
    await page.keyboard.type('Highest')
    await press(chips(page), 'button', 'Rating')
    await set(page, 'combobox', 'Rating from', '5')
    await set(page, 'combobox', 'Rating to', '8')
    await page.keyboard.press('Escape')
    await expect(chips(page).getByRole('button', { name: 'Rating 5–8', exact: true })).toBeFocused()
    await press(chips(page), 'button', 'Added')
    await tabTo(page.getByRole('dialog'), 'textbox', 'Added from')
    await page.keyboard.type('02022026')
    await page.keyboard.press('Escape')
    await press(chips(page), 'button', 'More')
    await set(page, 'combobox', 'Found by', me)
    await expect(page.getByRole('option', { name: me })).toBeVisible()
    await page.keyboard.press('Enter')
    await set(page, 'combobox', 'Fellow notes', 'With f')
    if (kind === 'companies') {
      await set(page, 'combobox', 'Industry', 'fintech')
      await page.keyboard.press('Enter')
      await set(page, 'combobox', 'Place', 'paris')
      await page.keyboard.press('Enter')
    }
    await check()
    if (kind === 'companies') await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const more = chips(page).getByRole('button', { name: 'More', exact: true })
    await expect(more).toBeFocused()
    for (const words of [`Found by ${me}`, 'Rating 5–8', 'Added from 2 Feb 2026', 'With fellow notes'])
      await expect(chips(page)).toContainText(words)
    await expect(page.getByText(`2 ${kind}`)).toBeVisible()
    await check()
    await press(page, 'button', 'Remove filter: Rating 5–8')
    await expect(page.getByText(`3 ${kind}`)).toBeVisible()
    await expect(chips(page).getByRole('button', { name: 'Rating', exact: true })).toBeFocused()
    await press(page, 'button', 'Clear all')
    await expect(more).toBeFocused()
    await expect(chips(page).getByRole('button', { name: /^Remove filter/ })).toHaveCount(0)

    await tabTo(page, 'combobox', 'Sort by')
    await page.keyboard.type('Newest')
    await press(page, 'button', 'Show as table')
    await expect(rows(page, word)).toHaveCount(3)
    await expect(page.getByRole('button', { name: 'Show as cards' })).toBeFocused()
    await press(page.getByRole('table'), 'button', 'Rating')
    await expect(page.getByRole('columnheader', { name: 'Rating' })).toHaveAttribute('aria-sort', 'descending')
    await expect(rows(page, word).first()).toContainText('7/10')
    await check()
    await press(page, 'link', `${word} 6`)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toHaveText(`${word} 6`)
    await page.keyboard.press('j')
    await expect(heading).toHaveText(`${word} 3`)
    await page.keyboard.press('k')
    await expect(heading).toHaveText(`${word} 6`)
    await page.keyboard.press('k')
    await expect(heading).toHaveText(`${word} 7`)
    await page.goBack()
    await expect(page).toHaveURL(/view=table/)
    await expect(page.getByRole('link', { name: `${word} 6` })).toBeFocused()

    await page.keyboard.press('/')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(`3 ${word.replace('Walked', 'Wakled')}`)
    await expect(page.getByRole('region', { name: 'Similar' }).getByRole('link', { name: `${word} 3` })).toBeVisible()
    await check()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search records, screens and commands' })).toBeFocused()
    await page.keyboard.type(`${word} 3`)
    await expect(page.getByRole('listbox').getByRole('option').first()).toContainText(`${word} 3`)
    await check()
    await page.keyboard.press('Enter')
    await expect(heading).toHaveText(`${word} 3`)
  })
}
