import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  hold,
  join,
  SOME_ID,
  test,
  visit,
} from './product.ts'
import { addCompany, addFounder } from './records.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

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
