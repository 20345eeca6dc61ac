import type { Page } from '@playwright/test'
import { part, setPipeline, stageNamed } from './pipeline.ts'
import { expect, join, own, test, toast, visit } from './product.ts'
import { addFounder } from './records.ts'

/**
 * Translates the page as browsers do, and again whatever appears: text nodes are put into <font> elements (`wrap`), or
 * replaced by them (`replace`).
 */
const translate = (page: Page, way: 'wrap' | 'replace') =>
  page.addInitScript((way) => {
    const put = (text: Text) => {
      const parent = text.parentElement
      if (!text.data.trim() || !parent || parent.closest('font, script, style, textarea, option, title')) return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      outer.append(inner)
      text.replaceWith(outer)
      inner.append(way === 'wrap' ? text : text.data)
    }
    const all = () => {
      const texts: Text[] = []
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      texts.forEach(put)
    }
    document.addEventListener('DOMContentLoaded', () => {
      let timer = 0
      new MutationObserver(() => {
        clearTimeout(timer)
        timer = window.setTimeout(all, 20)
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
      all()
    })
  }, way)

/** Every text is translated by now. */
const translated = (page: Page) => expect.poll(() => page.locator('main font').count()).toBeGreaterThan(0)

for (const { way, width } of [
  { way: 'wrap', width: 1440 },
  { way: 'replace', width: 390 },
] as const)
  test.describe(`With the translation of the browser, which ${way}s texts, at ${width} pixels`, () => {
    test.beforeEach(async ({ page }) => {
      await page.setViewportSize({ width, height: 844 })
      await translate(page, way)
      await join(page)
    })

    test('searching, My Records, the board, adding and importing keep working, and counts stay right', {
      tag: '@slow',
    }, async ({ page }) => {
      await test.step('searching and My Records', async () => {
        const word = own('Fonts')
        for (const place of [1, 2, 3]) await addFounder(page, { name: `${word} ${place}` })
        await visit(page, '/founders')
        await translated(page)
        const search = page.getByRole('searchbox')
        const counts = page.getByRole('status').filter({ hasText: /founder/ })
        for (const [term, count] of [
          [word, '3 founders'],
          [`${word} 1`, '1 founder'],
          [`${word} none`, undefined],
          [word, '3 founders'],
        ] as const) {
          await search.fill(term)
          if (count === undefined) await expect(page.getByText('No founders found')).toBeVisible()
          else await expect(counts.first()).toHaveText(count)
        }
        await visit(page, '/my-records')
        await translated(page)
        await page.getByRole('button', { name: `Edit ${word} 2` }).click()
        const form = page.getByRole('form', { name: `Edit ${word} 2` })
        await form.getByRole('textbox').fill('Other notes')
        await form.getByRole('button', { name: 'Save Changes' }).click()
        await expect(toast(page, 'Founder updated successfully')).toBeVisible()
        await expect(page.getByText('Other notes')).toBeVisible()
        await page.getByRole('searchbox').fill(`${word} 3`)
        await expect(page.getByRole('article')).toHaveCount(1)
      })
      await test.step('the board', async () => {
        const { id, name } = await addFounder(page)
        await setPipeline(page, id, { stage: await stageNamed(page, 'Contacted') })
        await visit(page, '/pipeline')
        await translated(page)
        await page.getByRole('button', { name: `Stage and status of ${name}` }).click()
        await page.getByRole('menuitem', { name: /Met/ }).click()
        await expect(part(page, 'Met')).toContainText(name)
        await page.getByRole('main').getByText('Companies', { exact: true }).first().click()
        await expect(page).toHaveURL(/show=companies/)
        await expect(page.getByText(name)).toHaveCount(0)
        await page.goBack()
        await expect(part(page, 'Met')).toContainText(name)
      })
      await test.step('adding and importing', async () => {
        const name = own('Added')
        await visit(page, '/founders/add')
        await translated(page)
        await page.getByRole('button', { name: 'Add to Network' }).click()
        await page.getByRole('textbox', { name: /^Name/ }).fill(name)
        await page.getByRole('textbox', { name: /^LinkedIn/ }).fill(`https://www.linkedin.com/in/${name}`)
        await page.getByRole('textbox', { name: /notes/i }).fill('Met')
        await page.getByRole('button', { name: 'Add to Network' }).click()
        await expect(page).toHaveURL(/\/founders$/)
        await expect(page.getByRole('article', { name })).toBeVisible()

        await visit(page, '/import')
        await translated(page)
        await page.getByRole('button', { name: 'Paste rows' }).click()
        const imported = own('Imported')
        await page
          .getByRole('textbox', { name: 'Rows from a spreadsheet' })
          .fill(`Name\tLinkedIn\tNotes\n${imported}\thttps://www.linkedin.com/in/${imported}\tMet`)
        await page.getByRole('button', { name: 'Continue' }).click()
        await expect(page.getByRole('heading', { name: 'Preview' })).toBeVisible({ timeout: 30_000 })
        await page.getByRole('button', { name: /^Import 1/ }).click()
        await expect(page.getByRole('heading', { name: 'Imported', exact: true })).toBeVisible({ timeout: 30_000 })
      })
    })
  })
