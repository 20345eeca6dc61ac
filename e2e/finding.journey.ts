import type { Page, Route } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  failWith,
  join,
  own,
  test,
  visit,
} from './product.ts'
import { addFounder, card, chip, filters } from './records.ts'

test.describe('Below the results of a search', () => {
  test('are records that mention the term, and similar names', async ({ page }) => {
    await join(page)
    const word = own('zebra')
    const { id } = await addFounder(page, { name: own('Mentioned') })
    await callApi(page, 'POST', `/notes/founder/${id}`, { content: `Talked about ${word} at length` })
    await page.goto(`/founders?search=${word}`)
    await expect(page.getByText('No founders found')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Also mentioned' })).toBeVisible()
    await expect(page.locator('mark', { hasText: word })).toBeVisible()
    // One line, not a card, where something is found below.
    expect((await page.getByText('No founders found').boundingBox())?.height).toBeLessThan(30)
    await expect(page.getByText('Try adjusting your search terms')).toBeHidden()
    const surname = own('Castañeda')
    const name = `José ${surname}`
    await addFounder(page, { name })
    await page.goto(`/founders?search=${surname.replace('ñ', 'n')} jose`)
    await expect(page.getByRole('heading', { name: 'Similar' })).toBeVisible()
    await expect(page.getByRole('link', { name }).first()).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('What could not be loaded', () => {
  const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
  const retry = (page: Page, text: string) => alert(page, text).getByRole('button', { name: 'Try again' })

  test('is said for the name in a chip, the fellows to choose from and each part below the results, and can be tried again', {
    tag: '@slow',
  }, async ({ page, complaints }) => {
    const { email, name } = await join(page, { name: own('Grace') })
    await test.step('is said for the name in a chip and the fellows to choose from, and can be tried again', async () => {
      const [{ id }] = (await callApi(page, 'GET', `/fellows?search=${email}`)).body
      await failWith(page, '/fellows?*', 500, { error: 'Something went wrong' })
      await visit(page, `/founders?by=${id}`)
      await expect(alert(page, 'The name of the fellow could not be loaded.')).toBeVisible()
      await chip(page, 'More').click()
      await expect(page.getByText('The fellows could not be loaded.').first()).toBeVisible()
      await expectAccessible(page)
      await page.unrouteAll()
      await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).first().click()
      await expect(page.getByText('The fellows could not be loaded.')).toHaveCount(0)
      await page.keyboard.press('Escape')
      await filters(page).getByRole('button', { name: 'Try again' }).click()
      await expect(filters(page)).toContainText(`Found by ${name}`)
      await expect(alert(page, 'could not be loaded')).toBeHidden()
      expectNoComplaintsButOf(complaints, 500)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('is said for each part below the results, which come after the last row of a long result', async () => {
      await page.setViewportSize({ width: 390, height: 844 })

      const word = own('quagga')
      const { id, name } = await addFounder(page)
      await callApi(page, 'POST', `/notes/founder/${id}`, { content: `Talked about ${word}` })
      await failWith(page, '/founders?*in=*', 500, { error: 'Something went wrong' })
      await failWith(page, '/fellows?*', 500, { error: 'Something went wrong' })
      await visit(page, `/founders?search=${word}`)
      for (const part of ['Similar', 'Also mentioned', 'Fellows'])
        await expect(alert(page, `${part}: could not be loaded`)).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScrollAtAnyWidth(page)
      await page.unrouteAll()
      await retry(page, 'Also mentioned').click()
      await expect(page.getByRole('article', { name })).toContainText(word)
      await expect(alert(page, 'Similar: could not be loaded')).toBeVisible()
      await retry(page, 'Similar').click()
      await retry(page, 'Fellows').click()
      await expect(page.getByRole('alert')).toHaveCount(0)
      expectNoComplaintsButOf(complaints, 500)
    })
  })

  test('is said for scripts, without a network and after an update, and the list stays', { tag: '@slow' }, async ({
    page,
    complaints,
  }) => {
    await join(page)
    const { name } = await addFounder(page)
    await page.goto(`/founders?search=${name}`)
    await expect(card(page, name)).toBeVisible()
    // Unlike an offline browser, this has no cache of scripts either.
    await page.route('**', (route) => route.abort('internetdisconnected'))
    await chip(page, 'More').click()
    await expect(retry(page, 'The filters could not be loaded.')).toBeFocused()
    await expectAccessible(page, ['dark'])
    await retry(page, 'The filters could not be loaded.').click()
    await expect(card(page, name)).toBeVisible()
    // Not that of a notice of the lost connection.
    await page.locator('#main').getByRole('button', { name: 'Close', exact: true }).click()
    await expect(chip(page, 'More')).toBeFocused()
    await page.getByRole('button', { name: 'Show as table' }).click()
    await expect(alert(page, 'The table could not be loaded.')).toBeVisible()
    await page.unrouteAll()
    await retry(page, 'The table could not be loaded.').click()
    await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
    const gone = (route: Route) => route.fulfill({ status: 404, body: '' })
    await page.route('**/assets/record-table-*.js', gone)
    await page.goto(`/founders?search=${name}&view=table&sort=rating`)
    await expect(alert(page, 'The table could not be loaded.')).toBeVisible()
    await expectNoSidewaysScrollAtAnyWidth(page)
    // The page of the update knows the new names of the scripts.
    const reloaded = page.waitForEvent('load')
    await retry(page, 'The table could not be loaded.').click()
    await reloaded
    await page.unrouteAll()
    await page.reload()
    await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
    await expect(page).toHaveURL(/view=table&sort=rating/)
    expectNoComplaintsButOf(complaints, 404, 'ERR_INTERNET_DISCONNECTED', 'preload', 'dynamically imported module')
  })
})

test.describe('Back and forward', () => {
  test('keep filter, sort, view and place, at 1440 and at 390 pixels', { tag: '@slow' }, async ({ page }) => {
    await join(page)
    const word = own('Kept')
    for (let row = 0; row < 60; row += 1) await addFounder(page, { name: `${word} ${row}.`, rating: (row % 5) + 5 })
    for (const [width, view] of [
      [1440, ''],
      [1440, '&view=table'],
      [390, ''],
      [390, '&view=table'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      const address = `/founders?search=${word}&ratingMin=6&sort=rating${view}`
      await visit(page, address)
      await expect(page.getByRole('table')).toHaveCount(view === '' ? 0 : 1)
      const link = page.getByRole('link', { name: `${word} 21.`, exact: true })
      await expect(link).toBeAttached()
      await link.scrollIntoViewIfNeeded()
      // Below the top bar, and above the bottom bar of a phone.
      await link.evaluate((element) => element.scrollIntoView({ block: 'center' }))
      const before = await page.evaluate(() => window.scrollY)
      expect(before).toBeGreaterThan(100)
      await link.click()
      await expect(page.getByRole('heading', { level: 1, name: `${word} 21.` })).toBeVisible()
      expect(await page.evaluate(() => window.scrollY)).toBe(0)
      await page.goBack()
      await expect(page).toHaveURL(address)
      await expect(link).toBeFocused()
      await expect(page.getByText('Rating 6–10')).toBeAttached()
      await expect(page.getByRole('table')).toHaveCount(view === '' ? 0 : 1)
      expect(Math.abs((await page.evaluate(() => window.scrollY)) - before)).toBeLessThanOrEqual(2)
      await page.goForward()
      await expect(page.getByRole('heading', { level: 1, name: `${word} 21.` })).toBeVisible()
      await page.goBack()
      await expect(link).toBeInViewport()
    }
  })
})

const OTHER_COLUMNS = ['Rating', 'Stage', 'Next step', 'By', 'Added', 'Notes']

test.describe('The table', () => {
  test('shows 25 rows in a window of 900 pixels, and sorts by its headers', async ({ page }) => {
    await join(page)
    const word = own('Row')
    for (let row = 0; row < 26; row += 1) await addFounder(page, { name: `${word} ${row}`, rating: (row % 10) + 1 })
    await page.setViewportSize({ width: 1440, height: 900 })
    const info = { current_company: 'Analytical Engines and Looms of Marylebone', current_title: 'CEO' }
    const additionalInfo = JSON.stringify(info)
    await page.route('**/api/founders?*', async (route) => {
      const answer = await route.fetch()
      const founders: object[] = await answer.json()
      await route.fulfill({ response: answer, json: founders.map((one) => ({ ...one, additionalInfo })) })
    })
    await page.goto(`/founders?search=${word}&view=table`)
    const rows = page.getByRole('row').filter({ hasText: word })
    await expect(rows.first()).toBeVisible()
    const inSight = await rows.evaluateAll(
      (all) => all.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length,
    )
    expect(inSight).toBeGreaterThanOrEqual(25)
    await test.step('has Company and Title as columns, company first; at 390 name with company below, rating, stage', async () => {
      const heads = page.getByRole('columnheader')
      await expect(heads).toHaveText(['', 'Name', 'Company', 'Title', ...OTHER_COLUMNS])
      await page.setViewportSize({ width: 390, height: 844 })
      await expect(heads).toHaveText(['', 'Name', 'Rating', 'Stage'])
      const company = rows.first().getByText('Analytical Engines and Looms of Marylebone').first()
      await expect(company).toBeVisible()
      const name = await rows.first().getByRole('link').boundingBox()
      expect((await company.boundingBox())?.y).toBeGreaterThan((name?.y ?? 0) + 10)
      await page.setViewportSize({ width: 1440, height: 900 })
    })
    await test.step('a cut cell shows its text on hover and focus, until Escape', async () => {
      const whole = page.locator('[aria-hidden=true]').getByText('Analytical Engines and Looms of Marylebone')
      await rows.nth(3).getByText('Analytical Engines and Looms').last().hover()
      await expect(whole).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(whole).toHaveCount(0)
      await rows.nth(2).getByRole('checkbox').focus()
      await page.keyboard.press('Tab')
      await expect(whole).toHaveText('Company: Analytical Engines and Looms of Marylebone')
      await page.keyboard.press('Escape')
      await expect(whole).toHaveCount(0)
    })
    await test.step('has boxes of 24 px in targets of 40 px', async () => {
      const box = rows.first().getByRole('checkbox')
      expect(await box.boundingBox()).toMatchObject({ width: 24, height: 24 })
      await page.setViewportSize({ width: 390, height: 844 })
      const target = await box.locator('xpath=..').boundingBox()
      expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(40)
      await page.setViewportSize({ width: 1440, height: 900 })
    })
    await page.getByRole('columnheader', { name: 'Rating' }).getByRole('button').click()
    await expect(page).toHaveURL(/sort=rating/)
    await expect(rows.first()).toContainText('10/10')
    await expectNoSidewaysScrollAtAnyWidth(page)
    await page.getByRole('link', { name: `${word} 9`, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: `${word} 9` })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(/view=table/)
  })
})
