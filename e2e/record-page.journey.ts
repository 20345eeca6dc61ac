import type { Page } from '@playwright/test'
import { part, setPipeline, stageNamed } from './pipeline.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  hold,
  join,
  own,
  SOME_ID,
  test,
  toast,
  visit,
} from './product.ts'
import { addCompany, addFounder, card, merge } from './records.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const saved = (page: Page) => toast(page, /updated successfully/)

test('The page of a founder opens from its card, answers in one look at its head, and of two corrections at the same time the second decides', async ({
  page,
  complaints,
}) => {
  await join(page)
  await test.step('opens from its card, has the name as its title, and Back returns to the place', async () => {
    const word = own('Shown')
    await addFounder(page, { name: `${word} one` })
    await addFounder(page, { name: `${word} two` })
    await visit(page, `/founders?search=${word}`)
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
  await test.step('has the focus, and Back from it gives the focus to the link again', async () => {
    const { name } = await addFounder(page)
    await visit(page, `/founders?search=${name}`)
    const link = page.getByRole('link', { name, exact: true })
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(heading(page, name)).toBeVisible()
    await expect(page.locator('main')).toBeFocused()
    await page.goBack()
    await expect(link).toBeFocused()
  })
  await test.step('shows the second of two corrections at the same time the conflict, and keeps what was typed', async () => {
    const { id, name, version } = await addFounder(page)
    await visit(page, `/founders/${id}`)
    await page.getByRole('button', { name: `Edit the name of ${name}` }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
    const other = { name: `${name} theirs`, version }
    expect((await callApi(page, 'PATCH', `/founders/${id}`, other)).status).toBe(200)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText(`${name} theirs`).first()).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Your name' })).toHaveValue('Mine')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await expect(heading(page, 'Mine')).toBeVisible()
    expectNoComplaintsButOf(complaints, 409)
  })
  await test.step('answers in one look at its head, on a phone before the notes', async () => {
    const word = own('Head')
    await addFounder(page, { name: `${word} one` })
    const { id, name } = await addFounder(page, { name: `${word} two`, rating: 8 })
    await addFounder(page, { name: `${word} three` })
    await setPipeline(page, id, { stage: await stageNamed(page, 'Met'), nextStep: 'Call her', nextOn: '2099-01-01' })
    await Promise.all(
      Array.from({ length: 50 }, (_, note) =>
        callApi(page, 'POST', `/notes/founder/${id}`, { content: `Note ${note}` }),
      ),
    )
    const head = part(page, `About ${name}`)
    const notes = part(page, 'Notes')
    await test.step('leads back to the list one came from, and says which of its records it is', async () => {
      await visit(page, `/founders?search=${word}`)
      await page.getByRole('link', { name, exact: true }).click()
      await expect(heading(page, name)).toBeVisible()
      await expect(page.getByRole('navigation', { name: 'Other founders of the list' })).toContainText('2 of 3')
      for (const words of ['8/10', 'Met', 'Call her']) await expect(head).toContainText(words)
      await expect(head.getByRole('button', { name: 'Copy link' })).toBeVisible()
      await page.keyboard.press('j')
      await expect(heading(page, `${word} one`)).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Search Founders' }).press('Enter')
      await expect(page).toHaveURL(new RegExp(`search=${word}$`))
    })
    await test.step('has rating and stage above 400 px at 390 × 844 with 50 notes, of which three are shown', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await visit(page, `/founders/${id}`)
      await expect(heading(page, name)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Show all 50 notes' })).toBeVisible()
      await expect(notes.getByText(/^Note \d+$/)).toHaveCount(3)
      for (const value of [head.getByText('8/10'), head.getByRole('button', { name: 'Stage: Met' })]) {
        const box = await value.boundingBox()
        expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThan(400)
      }
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Show all 50 notes' }).press('Enter')
      await expect.poll(() => notes.getByText(/^Note \d+$/).count()).toBeGreaterThan(3)
    })
    await test.step('has all other acts in a menu', async () => {
      await page.getByRole('button', { name: `More for ${name}` }).press('Enter')
      await expect(page.getByRole('menuitem')).toHaveText(['Refresh', 'Merge with…', 'Delete'])
      await expectAccessible(page)
      await page.getByRole('menuitem', { name: 'Merge with…' }).press('Enter')
      await expect(page.getByRole('searchbox', { name: /^Merge with which/ })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: `More for ${name}` })).toBeFocused()
    })
  })
})

test('The page of a company is corrected in place, follows changes, and says what was deleted and where a merged one went', {
  tag: '@slow',
}, async ({ page, complaints }) => {
  await join(page)
  await test.step('corrects a value in place by keyboard alone, and History puts the old one back', async () => {
    const { id, name } = await addCompany(page)
    await visit(page, `/companies/${id}`)
    await expect(heading(page, name)).toBeVisible()
    await page.keyboard.press('e')
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(`${name} corrected`)
    await page.keyboard.press('Enter')
    await expect(saved(page)).toBeVisible()
    await expect(heading(page, `${name} corrected`)).toBeVisible()
    const { body } = await callApi(page, 'GET', `/companies?search=${name} corrected`)
    expect(body).toHaveLength(1)
    await page.getByRole('button', { name: 'Add an industry' }).click()
    await page.keyboard.type('Aviation')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Edit the industry of' })).toBeVisible()
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
  await test.step('follows changes of others live, and shows what was deleted and where a merged one went', async () => {
    const [first, second] = [await addCompany(page), await addCompany(page)]
    await visit(page, `/companies/${second.id}`)
    await expect(heading(page, second.name)).toBeVisible()
    await callApi(page, 'POST', `/notes/company/${second.id}`, { content: 'Noted elsewhere' })
    await expect(page.getByText('Noted elsewhere').first()).toBeVisible()
    await merge(page, first, second)
    await visit(page, `/companies/${second.id}`)
    await expect(page).toHaveURL(`/companies/${first.id}`)
    await expect(heading(page, first.name)).toBeVisible()
    const gone = await addCompany(page)
    await callApi(page, 'DELETE', `/companies/${gone.id}`)
    await visit(page, `/companies/${gone.id}`)
    await expect(heading(page, 'This record has been deleted')).toBeVisible()
    await visit(page, `/companies/nothing`)
    await expect(page).toHaveURL('/')
    expectNoComplaintsButOf(complaints, 404)
  })
})

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

const PLACES = [
  { path: 'founders', noun: 'founder', add: addFounder, width: 1440, height: 900, scheme: 'light' },
  { path: 'companies', noun: 'company', add: addCompany, width: 390, height: 844, scheme: 'dark' },
  { path: 'founders', noun: 'founder', add: addFounder, width: 768, height: 1200, scheme: 'dark' },
] as const

test('By its address, the page of a record keeps the place of what is loading: nothing shifts by more than 0.01', {
  tag: '@slow',
}, async ({ page, openCaller }) => {
  const finder = await openCaller()
  await join(finder, { name: 'Grace Hopper' })
  await join(page)
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
  for (const { path, noun, add, width, height, scheme } of PLACES)
    await test.step(`a ${noun} at ${width} pixels`, async () => {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: scheme })
      const { id, name, version } = await add(finder)
      const linked = await (path === 'founders' ? addCompany : addFounder)(finder)
      await callApi(
        finder,
        'PUT',
        path === 'founders' ? `/founders/${id}/companies/${linked.id}` : `/founders/${linked.id}/companies/${id}`,
        { role: 'Advisor' },
      )
      for (const note of ['One', 'Two']) await callApi(finder, 'POST', `/notes/${noun}/${id}`, { content: note })
      await callApi(finder, 'PATCH', `/${path}/${id}`, { name: `${name} again`, version })
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
})

test('By its address, a record that is not there says so, and leads from there to the list', { tag: '@slow' }, async ({
  page,
  complaints,
}) => {
  await join(page)
  const elsewhere = { founders: await addCompany(page), companies: await addFounder(page) }
  await page.goto(`/founders/${SOME_ID}`)
  for (const path of ['founders', 'companies'] as const)
    await test.step(path, async () => {
      for (const id of [SOME_ID, SOME_ID.toUpperCase().replace('7', 'A')]) {
        await visit(page, `/${path}/${id}`)
        await expect(heading(page, 'This record has been deleted')).toBeVisible()
        await expect(page).toHaveTitle(/This record has been deleted/)
      }
      await expectAccessible(page)
      await page
        .getByRole('link', { name: /^Search / })
        .last()
        .click()
      await expect(page).toHaveURL(`/${path}`)
      for (const id of ['0', `${SOME_ID}0`, '%00', '..%2Ffounders']) {
        await visit(page, `/${path}/${id}`)
        await expect(page, id).toHaveURL('/')
      }
      // A record of the other kind has no page here.
      await visit(page, `/${path}/${elsewhere[path].id}`)
      await expect(heading(page, 'This record has been deleted')).toBeVisible()
    })
  // The server answers such an address with the page too.
  await page.goto('/founders/%00')
  await expect(page).toHaveURL('/')
  expectNoComplaintsButOf(complaints, 404)
})
