import type { Locator, Page } from '@playwright/test'
import { joinAsManager } from './manager.ts'
import { part } from './pipeline.ts'
import {
  callApi,
  DESKTOP,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  join,
  keptIn,
  own,
  test,
  visit,
} from './product.ts'
import { addCompany, addFounder } from './records.ts'

type Field = {
  field: string
  open: (page: Page) => Promise<unknown>
  box: (page: Page) => Locator
  /** A search or a list of names closes on Escape, and has its text when it opens again. */
  closes?: true
}

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const box = (name: string | RegExp) => (page: Page) => page.getByRole('textbox', { name })

const ON_RECORD: Field[] = [
  { field: 'the next step', open: click('Add a next step'), box: box('Next step') },
  { field: 'the remark of a passing', open: click('Pass…'), box: box(/^Remark/) },
  { field: 'the role of a link', open: click(/^Add role/), box: box('Role') },
  { field: 'the role of a new link', open: click('Link a company'), box: box('Role (optional)') },
  { field: 'all fields as one form', open: (page) => page.keyboard.press('e'), box: box('Title') },
  { field: 'a correction of one line', open: click(/^Edit the name/), box: box('Name') },
  { field: 'a tag', open: click('Add a tag'), box: box(/^Add a tag to/), closes: true },
  {
    field: 'the search for the record to merge',
    open: async (page) => {
      await click(/^More for/)(page)
      await page.getByRole('menuitem', { name: 'Merge with…' }).click()
    },
    box: (page) => page.getByRole('searchbox', { name: /^Merge with/ }),
    closes: true,
  },
]

const ofManager = (path: string, field: string, boxOf: Field['box'], open: Field['open'] = async () => {}) => ({
  ...{ path, field, open, box: boxOf },
})

const IN_PROGRAMME = [
  ofManager('/programme/pipeline', 'the name of a stage', box('Name'), click('Add a stage')),
  ofManager('/programme/pipeline', 'a reason for passing', box('Reason 1')),
  ofManager('/programme/privacy', 'the search for a person', box('Names')),
  ofManager('/programme', 'invited addresses', box('Email addresses')),
  ofManager('/programme', 'the domains that may join', box('Domains')),
  ofManager('/account', 'one’s own name', box('Full name')),
]

const WIDTHS = [1440, 768, 390]

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' })

/** Types, presses Escape, keeps editing, reloads; the text is there, at this width. */
async function expectKept(page: Page, { field, open, box, closes }: Field, width: number) {
  await page.setViewportSize({ width, height: 844 })
  await open(page)
  const text = own('Half')
  await box(page).fill(text)
  await box(page).press('Escape')
  if (closes) {
    // The list of names closes first.
    if (await box(page).isVisible()) await box(page).press('Escape')
    await open(page)
  } else if (await question(page).isVisible()) await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(box(page), `${field} after Escape`).toHaveValue(text)
  await page.reload()
  if (field.startsWith('the remark') || field.startsWith('the search for the record')) await open(page)
  await expect(box(page), `${field} after a reload`).toHaveValue(text)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    await expect(box(page), `${field} at ${width}`).toHaveValue(text)
    await expectNoSidewaysScroll(page)
  }
  await page.setViewportSize(DESKTOP)
}

test.describe('Escape, a reload and the end of a session lose nothing that was typed', () => {
  test('on a record: every field', { tag: '@slow' }, async ({ page }) => {
    await join(page)
    for (const [place, field] of ON_RECORD.entries())
      await test.step(field.field, async () => {
        const [founder, company] = [await addFounder(page), await addCompany(page)]
        if (field.field === 'the role of a link')
          await callApi(page, 'PUT', `/founders/${founder.id}/companies/${company.id}`, { role: '' })
        await visit(page, `/founders/${founder.id}`)
        await expect(page.getByRole('heading', { level: 1, name: founder.name })).toBeVisible()
        await expect(part(page, 'Pipeline')).toBeVisible()
        await expectKept(page, field, WIDTHS[place % WIDTHS.length] as number)
        if (field.closes) return
        await field.box(page).press('Escape')
        await expect(question(page)).toBeVisible()
        if (place === 0) await expectAccessible(page)
        await page.getByRole('button', { name: 'Discard' }).click()
        await expect(field.box(page)).toBeHidden()
        expect(await keptIn(page)).toEqual([])
      })
  })

  test('of a manager: every field', { tag: '@slow' }, async ({ page, product }) => {
    await joinAsManager(page, product)
    for (const [place, field] of IN_PROGRAMME.entries())
      await test.step(field.field, async () => {
        await visit(page, field.path)
        await expectKept(page, field, WIDTHS[place % WIDTHS.length] as number)
      })
  })

  test('on the board and in a list: the remark of a passing is offered on other screens, and goes with the passing', {
    tag: '@slow',
  }, async ({ page }) => {
    await join(page)
    const { id, name } = await addFounder(page)
    await page.goto(`/founders/${id}`)
    await click('Pass…')(page)
    await box(/^Remark/)(page).fill('Half a remark')
    await page.goto('/')
    const offered = page.getByRole('region', { name: 'Not saved' })
    await expect(offered).toContainText(`Unsaved change to ${name}`)
    await offered.getByRole('link').click()
    await click('Pass…')(page)
    await expect(box(/^Remark/)(page)).toHaveValue('Half a remark')
    await page.getByRole('radio', { name: /Too early/ }).check()
    await page.getByRole('button', { name: 'Pass', exact: true }).click()
    await expect(part(page, 'Pipeline')).toContainText('Half a remark')
    expect(await keptIn(page)).toEqual([])
  })
})

test.describe('Text that is too long is not cut', () => {
  test('but said at its field, typed or pasted', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await join(page)
    const { id } = await addFounder(page)
    await page.goto(`/founders/${id}`)
    const long = 'x'.repeat(600)
    const paste = async (field: Locator, says: RegExp) => {
      await page.evaluate((text) => navigator.clipboard.writeText(text), long)
      await field.focus()
      await page.keyboard.press('ControlOrMeta+v')
      await expect(field).toHaveValue(long)
      await expect(page.getByText(says)).toBeVisible()
      await field.fill('')
    }
    await click('Add a next step')(page)
    await paste(box('Next step')(page), /Next step must be at most 200 characters/)
    await page
      .getByRole('form', { name: /^Next step/ })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await click('Add a tag')(page)
    await paste(page.getByRole('textbox', { name: /^Add a tag/ }), /Tag must be at most \d+ characters/)
    await click('Pass…')(page)
    await paste(box(/^Remark/)(page), /Remark must be at most 500 characters/)
    await page.keyboard.press('Escape')
    await page.goto('/founders')
    await paste(page.getByRole('searchbox'), /Search must be at most 200 characters/)
    await page.keyboard.press('Control+k')
    await paste(page.getByLabel('Search records, screens and commands'), /Search must be at most 200 characters/)
  })
})
