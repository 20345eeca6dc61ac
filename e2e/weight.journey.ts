import { callApi, expect, join, test } from './product.ts'

// Limits of the first useful screen, in bytes on the wire (brotli, without headers).
const SCRIPTS_MAX = 200_000
const STYLES_MAX = 20_000

/** Each file that a page names costs a phone a request: the page, its scripts and its styles. What loads later is not named. */
const FILES_MAX = { record: 15, board: 13 }
/** All requests of a page: its files, its calls, and what loads when it is idle. The records here have no pictures. */
const REQUESTS_MAX = { record: 40, board: 22 }

/** Load last, and only when there is data to draw. */
const CHART = /\/(fellow-chart|BarChart)-/

/** Schemas check typed input, so a screen without a form must not wait for them. */
const SCHEMAS = '__zod_globalConfig'
const SHOWN = ['/', '/founders', '/companies', '/my-records']

test(`The first useful screen loads at most ${SCRIPTS_MAX / 1000} KB of scripts and ${STYLES_MAX / 1000} KB of styles`, async ({
  page,
}) => {
  // Scripts that load in idle time are not part of the first screen.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  let record = ''
  for (const path of ['/auth', ...SHOWN])
    await test.step(path, async () => {
      if (path === SHOWN[0]) {
        await join(page)
        const { body } = await callApi(page, 'POST', '/founders', {
          name: 'W',
          linkedIn: 'https://www.linkedin.com/in/w',
          notes: 'W.',
        })
        record = `/founders/${body.id}`
      }
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('load')
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      const files = await page.evaluate(() =>
        performance.getEntriesByType('resource').map((entry) => {
          const { name, encodedBodySize } = entry as PerformanceResourceTiming
          return { name, encodedBodySize }
        }),
      )
      if (SHOWN.includes(path))
        for (const { name } of files.filter(({ name }) => name.endsWith('.js') && !CHART.test(name)))
          expect(await (await page.request.get(name)).text(), name).not.toContain(SCHEMAS)
      const weightOf = (ending: string) =>
        files
          .filter(({ name }) => name.endsWith(ending) && !CHART.test(name))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
      expect(weightOf('.js')).toBeGreaterThan(50_000)
      expect(weightOf('.js')).toBeLessThanOrEqual(SCRIPTS_MAX)
      expect(weightOf('.css')).toBeGreaterThan(5000)
      expect(weightOf('.css')).toBeLessThanOrEqual(STYLES_MAX)
    })
  await test.step('the record page and the board name few files', async () => {
    for (const [path, most] of [
      [record, FILES_MAX.record],
      ['/pipeline', FILES_MAX.board],
    ] as const) {
      const html = await (await page.request.get(path, { headers: { accept: 'text/html' } })).text()
      const files = new Set(html.match(/\/assets\/[^"]+\.(js|css)/g))
      expect(files.size, path).toBeGreaterThan(4)
      expect(files.size + 1, path).toBeLessThanOrEqual(most)
    }
  })
  await test.step('the record page and the board make few requests, with what loads when they are idle', async () => {
    for (const [path, most] of [
      [record, REQUESTS_MAX.record],
      ['/pipeline', REQUESTS_MAX.board],
    ] as const) {
      const idle = await page.context().newPage()
      const requests: string[] = []
      idle.on('request', (request) => requests.push(new URL(request.url()).pathname))
      const isLoaded = ['/api/nav-counts', '/api/inbox/count'].map((call) =>
        idle.waitForResponse((response) => response.url().includes(call)),
      )
      await idle.goto(path)
      await Promise.all(isLoaded)
      await idle.waitForLoadState('networkidle')
      expect(
        requests.some((path) => path.startsWith('/assets/later-')),
        path,
      ).toBe(true)
      expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(most)
      await idle.close()
    }
  })
  await test.step('the palette and the dialog of notes open without a script, as theirs were loaded when the page was idle', async () => {
    const idle = await page.context().newPage()
    const scripts: string[] = []
    idle.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
    await idle.goto('/founders')
    await expect
      .poll(() => ['/later-', '/notes-'].every((file) => scripts.some((url) => url.includes(file))))
      .toBe(true)
    await idle.waitForLoadState('networkidle')
    scripts.splice(0)
    await idle.keyboard.press('Control+k')
    await expect(idle.getByRole('dialog').getByRole('combobox')).toBeFocused()
    await idle.keyboard.press('Escape')
    await idle.getByRole('button', { name: 'Add a note on W' }).first().click()
    await expect(idle.getByRole('dialog').getByRole('textbox')).toBeFocused()
    expect(scripts).toEqual([])
    await idle.close()
  })
})
