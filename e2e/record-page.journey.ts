import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  hold,
  join,
  own,
  SOME_ID,
  test,
  toast,
} from './product.ts'
import { addCompany, addFounder, card, merge } from './records.ts'

const KINDS = [
  { noun: 'founder', path: 'founders', add: addFounder, field: 'title', value: 'Chief engineer', prose: 'bio' },
  { noun: 'company', path: 'companies', add: addCompany, field: 'industry', value: 'Aviation', prose: 'description' },
] as const

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const saved = (page: Page) => toast(page, /updated successfully/)

for (const { noun, path, add, field, value, prose } of KINDS) {
  test.describe(`The page of a ${noun}`, () => {
    test('opens from its card, has the name as its title, and Back returns to the place', async ({ page }) => {
      await join(page)
      const word = own('Shown')
      await add(page, { name: `${word} one` })
      await add(page, { name: `${word} two` })
      await page.goto(`/${path}?search=${word}`)
      await card(page, `${word} one`)
        .getByRole('link', { name: `${word} one` })
        .click()
      await expect(heading(page, `${word} one`)).toBeVisible()
      await expect(page).toHaveTitle(new RegExp(`${word} one`))
      await page.keyboard.press('k')
      await expect(heading(page, `${word} two`)).toBeVisible()
      await page.keyboard.press('j')
      await expect(heading(page, `${word} one`)).toBeVisible()
      await page.goBack()
      await expect(page).toHaveURL(new RegExp(`search=${word}$`))
      await expect(card(page, `${word} two`)).toBeVisible()
    })

    test('corrects a value in place by keyboard alone, and History puts the old one back', async ({ page }) => {
      await join(page)
      const { id, name } = await add(page)
      await page.goto(`/${path}/${id}`)
      await expect(heading(page, name)).toBeVisible()
      await page.keyboard.press('e')
      await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(`${name} corrected`)
      await page.keyboard.press('Enter')
      await expect(saved(page)).toBeVisible()
      await expect(heading(page, `${name} corrected`)).toBeVisible()
      const { body } = await callApi(page, 'GET', `/${path}?search=${name} corrected`)
      expect(body).toHaveLength(1)
      await page.getByRole('button', { name: `Add a${/^[aeio]/.test(field) ? 'n' : ''} ${field}` }).click()
      await page.keyboard.type(value)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: `Edit the ${field} of` })).toBeVisible()
      await page.keyboard.press('e')
      await page.keyboard.type('not saved')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await expect(heading(page, `${name} corrected`)).toBeVisible()
      await page
        .getByRole('button', { name: /^Put back/ })
        .last()
        .click()
      await expect(heading(page, name)).toBeVisible()
    })

    test('shows the second of two corrections at the same time the conflict, and keeps what was typed', async ({
      page,
      complaints,
    }) => {
      await join(page)
      const { id, name, version } = await add(page)
      await page.goto(`/${path}/${id}`)
      await page.getByRole('button', { name: `Edit the name of ${name}` }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
      const other = { name: `${name} theirs`, version }
      expect((await callApi(page, 'PATCH', `/${path}/${id}`, other)).status).toBe(200)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText(`${name} theirs`).first()).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Your name' })).toHaveValue('Mine')
      await page.getByRole('button', { name: 'Keep mine' }).click()
      await expect(heading(page, 'Mine')).toBeVisible()
      expectNoComplaintsButOf(complaints, 409)
    })

    test('follows changes of others live, and shows what was deleted and where a merged one went', async ({
      page,
      complaints,
    }) => {
      await join(page)
      const [first, second] = [await add(page), await add(page)]
      await page.goto(`/${path}/${second.id}`)
      await expect(heading(page, second.name)).toBeVisible()
      await callApi(page, 'POST', `/notes/${noun}/${second.id}`, { content: 'Noted elsewhere' })
      await expect(page.getByText('Noted elsewhere').first()).toBeVisible()
      await merge(page, first, second)
      await page.goto(`/${path}/${second.id}`)
      await expect(page).toHaveURL(`/${path}/${first.id}`)
      await expect(heading(page, first.name)).toBeVisible()
      const gone = await add(page)
      await callApi(page, 'DELETE', `/${path}/${gone.id}`)
      await page.goto(`/${path}/${gone.id}`)
      await expect(heading(page, 'This record has been deleted')).toBeVisible()
      await page.goto(`/${path}/nothing`)
      await expect(page).toHaveURL('/')
      expectNoComplaintsButOf(complaints, 404)
    })

    test('fits at every width, and passes the accessibility check', async ({ page }) => {
      await join(page)
      const name = `${'Wolfeschlegelsteinhausen'.repeat(4)} ${own('Wide')} \u0645\u062d\u0645\u062f \u{1f98a}`
      const { id, version } = await add(page, { name })
      await callApi(page, 'PATCH', `/${path}/${id}`, { [prose]: 'long words '.repeat(400), version })
      await page.goto(`/${path}/${id}`)
      await expect(heading(page, name)).toBeVisible()
      await expectNoSidewaysScrollAtAnyWidth(page)
      await expectAccessible(page)
    })
  })
}

type Shifts = { sum: number; moved: string[] }

/** All layout shifts that no act of the person caused, as browsers report them. */
const shiftsOf = (page: Page) => page.evaluate(() => (window as unknown as { shifts: Shifts }).shifts)

/** How long each call takes, so that the parts of the page come one after the other. */
const CALLS_LAST: [pattern: RegExp, milliseconds: number][] = [
  [/\/(finders|merges|founders|companies)(\?|$)/, 1300],
  [/\/history/, 1600],
  [/\/notes\//, 1000],
  [/./, 0],
]

for (const { path, noun, add, other, width, height, scheme } of [
  { ...KINDS[0], other: 'companies', width: 1440, height: 900, scheme: 'light' },
  { ...KINDS[1], other: 'founders', width: 390, height: 844, scheme: 'dark' },
  { ...KINDS[0], other: 'companies', width: 768, height: 1200, scheme: 'dark' },
] as const)
  test.describe(`By its address, at ${width} pixels, the page of a ${noun}`, () => {
    test.beforeEach(async ({ page }) => {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: scheme })
    })

    test('keeps the place of what is loading: nothing shifts by more than 0.01', async ({ page, openCaller }) => {
      const finder = await openCaller()
      await join(finder, { name: 'Grace Hopper' })
      await join(page)
      const { id, name, version } = await add(finder)
      const linked = await (other === 'companies' ? addCompany : addFounder)(finder)
      await callApi(
        finder,
        'PUT',
        path === 'founders' ? `/founders/${id}/companies/${linked.id}` : `/founders/${linked.id}/companies/${id}`,
        { role: 'Advisor' },
      )
      for (const note of ['One', 'Two']) await callApi(finder, 'POST', `/notes/${noun}/${id}`, { content: note })
      await callApi(finder, 'PATCH', `/${path}/${id}`, { name: `${name} again`, version })
      await page.addInitScript(() => {
        const shifts: Shifts = { sum: 0, moved: [] }
        Object.assign(window, { shifts })
        type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }
        type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] }
        const wordsOf = ({ node, previousRect: from, currentRect: to }: Source) =>
          `${node?.textContent?.slice(0, 40)}: ${from.y}+${from.height} to ${to.y}+${to.height}`
        new PerformanceObserver((list) => {
          for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
            if (hadRecentInput) continue
            shifts.sum += value
            shifts.moved.push(`${value}: ${sources.map(wordsOf).join(', ')}`)
          }
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.route('**/api/**', async (route) => {
        const [, milliseconds = 0] = CALLS_LAST.find(([pattern]) => pattern.test(route.request().url())) ?? []
        await new Promise((resolve) => setTimeout(resolve, milliseconds))
        await route.continue()
      })
      const release = await hold(page, `/${path}/${id}`)
      await page.goto(`/${path}/${id}`)
      await expect(page.getByRole('status', { name: `Loading the ${noun}` })).toBeVisible()
      release()
      await expect(heading(page, `${name} again`)).toBeVisible()
      await expect(page).toHaveTitle(new RegExp(`${name} again`))
      await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
      await expect(page.getByRole('link', { name: linked.name }).first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'I met them too' })).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      const { sum, moved } = await shiftsOf(page)
      expect(sum, moved.join('\n')).toBeLessThanOrEqual(0.01)
      await expectAccessible(page, [scheme])
    })

    test('says when there is no such record, and leads from there to the list', async ({ page, complaints }) => {
      await join(page)
      for (const id of [SOME_ID, SOME_ID.toUpperCase().replace('7', 'A')]) {
        await page.goto(`/${path}/${id}`)
        await expect(heading(page, 'This record has been deleted')).toBeVisible()
        await expect(page).toHaveTitle(/This record has been deleted/)
      }
      await expectAccessible(page, [scheme])
      await page
        .getByRole('link', { name: /^Search / })
        .last()
        .click()
      await expect(page).toHaveURL(`/${path}`)
      for (const id of ['0', `${SOME_ID}0`, '%00', '..%2Ffounders']) {
        await page.goto(`/${path}/${id}`)
        await expect(page, id).toHaveURL('/')
      }
      // A record of the other kind has no page here.
      const elsewhere = await (other === 'companies' ? addCompany : addFounder)(page)
      await page.goto(`/${path}/${elsewhere.id}`)
      await expect(heading(page, 'This record has been deleted')).toBeVisible()
      expectNoComplaintsButOf(complaints, 404)
    })

    test('has the focus, and Back from it gives the focus to the link again', async ({ page }) => {
      await join(page)
      const { name } = await add(page)
      await page.goto(`/${path}?search=${name}`)
      const link = page.getByRole('link', { name, exact: true })
      await link.focus()
      await page.keyboard.press('Enter')
      await expect(heading(page, name)).toBeVisible()
      await expect(page.locator('main')).toBeFocused()
      await page.goBack()
      await expect(link).toBeFocused()
    })
  })
