import type { Page } from '@playwright/test'
import { pipelineOf, setPipeline, stageNamed } from './pipeline.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  failWith,
  hold,
  holdLiveStream,
  join,
  own,
  test,
  toast,
  visit,
} from './product.ts'
import { addCompany, addFounder, card, chip } from './records.ts'
import { smallTargets } from './targets.ts'

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const grip = (page: Page, name: string) => page.getByRole('button', { name: `Move ${name}` })

const choose = (page: Page, group: string, option: string) =>
  page.getByRole('radiogroup', { name: group }).getByText(option, { exact: true }).click()

/** The bodies of the calls that change pipelines. */
function changesOf(page: Page) {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/pipeline')) bodies.push(request.postDataJSON())
  })
  return bodies
}

async function dragTo(page: Page, name: string, to: string) {
  const from = await card(page, name).boundingBox()
  const target = await column(page, to).boundingBox()
  if (!from || !target) throw new Error('No place to drag')
  await page.mouse.move(from.x + 60, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(from.x + 80, from.y + 40, { steps: 3 })
  await page.mouse.move(target.x + target.width / 2, target.y + 120, { steps: 6 })
  await expect(column(page, to)).toHaveAttribute('data-over', 'true')
  // As tall as the card that will be there.
  const landing = await column(page, to).getByText('Moves here').boundingBox()
  expect(landing?.height).toBe(from.height)
  await page.mouse.up()
}

test.describe('The board', () => {
  test('moves cards by drag, keys and menu, returns refused ones, and draws those in sight, on a desktop and a phone', {
    tag: '@slow',
  }, async ({ page, complaints }) => {
    await join(page)
    await test.step('moves a card by drag, by keys and by its menu, with the same call', async () => {
      const [dragged, carried, sent] = [own('Dragged'), own('Carried'), own('Sent')]
      for (const name of [dragged, carried, sent]) await addFounder(page, { name })
      const bodies = changesOf(page)
      await visit(page, '/pipeline')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pipeline')
      const columns = page.getByRole('heading', { level: 2 })
      await expect(columns.first()).toContainText('Not started')
      await expect(column(page, 'Not started')).toContainText(dragged)

      const tools = grip(page, dragged).locator('..')
      await expect(tools).toHaveCSS('opacity', '0')
      await card(page, dragged).hover()
      await expect(tools).toHaveCSS('opacity', '1')
      await dragTo(page, dragged, 'Met')
      await expect(column(page, 'Met')).toContainText(dragged)
      await expect(card(page, dragged)).toHaveAttribute('aria-busy', 'false')

      await grip(page, carried).press('Enter')
      await expect(page.getByRole('status').filter({ hasText: `Picked up ${carried}` })).toHaveCount(1)
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Escape')
      await expect(column(page, 'Not started')).toContainText(carried)
      await page.keyboard.press(' ')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await expect(column(page, 'Met')).toHaveAttribute('data-over', 'true')
      await expectAccessible(page)
      await page.keyboard.press(' ')
      await expect(column(page, 'Met')).toContainText(carried)
      await expect(grip(page, carried)).toBeFocused()

      await page.getByRole('button', { name: `Stage and status of ${sent}` }).press('Enter')
      await expect(page.getByRole('menu')).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('2')
      await expect(column(page, 'Met')).toContainText(sent)
      const stage = await stageNamed(page, 'Met')
      expect(bodies).toEqual(Array.from({ length: 3 }, () => ({ stage, version: 0 })))
    })
    await test.step('returns a card that was refused, with the sentence, and leaves one that was not passed', async () => {
      const name = own('Refused')
      const { id } = await addFounder(page, { name })
      await visit(page, '/pipeline')
      const release = await hold(page, `/records/${id}/pipeline`, {
        status: 403,
        json: { error: 'Only a manager can move this' },
      })
      await dragTo(page, name, 'Contacted')
      await expect(column(page, 'Contacted')).toContainText(name)
      await expect(card(page, name)).toHaveAttribute('aria-busy', 'true')
      release()
      await expect(toast(page, 'Only a manager can move this')).toBeVisible()
      await expect(column(page, 'Not started')).toContainText(name)
      await expect(column(page, 'Contacted')).not.toContainText(name)
      await page.unroute(`**/api/records/${id}/pipeline`)

      await page.getByRole('button', { name: `Stage and status of ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Pass…' }).click()
      await expect(page.getByRole('dialog')).toContainText(`Why pass on ${name}?`)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(column(page, 'Not started')).toContainText(name)
      expect(await pipelineOf(page, id)).toMatchObject({ status: 'active', version: 0 })
      expectNoComplaintsButOf(complaints, 403)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('has companies and other statuses by switches, and limits that are not said by colour alone', async () => {
      const [founder, company] = [own('Ada'), own('Acme')]
      const { id } = await addFounder(page, { name: founder })
      await addCompany(page, { name: company })
      const reasons = (await callApi(page, 'GET', '/passing-reasons')).body
      await setPipeline(page, id, { stage: await stageNamed(page, 'Met') })
      await setPipeline(page, id, { status: 'passed', reason: { id: reasons[0].id } })
      await visit(page, '/pipeline')
      await expect(page.getByText(founder)).toHaveCount(0)
      await choose(page, 'Status', 'Passed')
      await expect(column(page, 'Met')).toContainText(founder)
      await expect(column(page, 'Met')).toContainText(`Reason for passing: ${reasons[0].name}`)
      await choose(page, 'Status', 'Active')
      await choose(page, 'Kind', 'Companies')
      await expect(column(page, 'Not started')).toContainText(company)
      await expect(page).toHaveURL(/show=companies/)
      await page.reload()
      await expect(column(page, 'Not started')).toContainText(company)
    })
    await test.step('moves the linked company too, once its menu says so', async () => {
      const [founder, company] = [own('Ada'), own('Acme')]
      const { id } = await addFounder(page, { name: founder })
      const linked = await addCompany(page, { name: company })
      await callApi(page, 'PUT', `/founders/${id}/companies/${linked.id}`, { role: 'CEO' })
      await visit(page, '/pipeline')
      await expect(column(page, 'Not started')).toContainText(founder)
      const menu = page.getByRole('button', { name: `Stage and status of ${founder}` })
      await menu.press('Enter')
      const along = page.getByRole('menuitemcheckbox', { name: `Move the linked company too ${company}` })
      await along.press('Space')
      await expect(along).toBeChecked()
      await page.keyboard.press('Escape')
      await dragTo(page, founder, 'Met')
      await expect(toast(page, `${company} moved along`)).toBeVisible()
      expect(await pipelineOf(page, linked.id)).toMatchObject({ stage: { name: 'Met' } })
      // A card that has just moved is drawn again, which closes its menu.
      await expect(async () => {
        await menu.press('Enter')
        await along.press('Space', { timeout: 1_000 })
      }).toPass()
      await page.keyboard.press('Escape')
    })
    await test.step('shows what is mine, and filters as lists do, with the counts of what it shows', async () => {
      const [low, high] = [own('Low'), own('High')]
      await addFounder(page, { name: low, rating: 3 })
      await addFounder(page, { name: high, rating: 9 })
      await visit(page, '/pipeline')
      await page.getByRole('button', { name: 'Rating', exact: true }).press('Enter')
      await page.getByRole('dialog', { name: 'Rating' }).getByLabel('Rating from').selectOption('8')
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(/ratingMin=8/)
      await expect(column(page, 'Not started')).toContainText(high)
      await expect(column(page, 'Not started')).not.toContainText(low)
      await expect(page.getByRole('list', { name: 'Filters' })).not.toContainText('Stage')
      await page.getByRole('button', { name: /^Remove filter: Rating/ }).press('Enter')
      await expect(column(page, 'Not started')).toContainText(low)
      const mine = page.getByRole('button', { name: 'Mine', exact: true })
      await mine.click()
      await expect(page).toHaveURL(/mine=true/)
      await expect(mine).toHaveAttribute('aria-pressed', 'true')
      await expect(column(page, 'Not started')).toContainText(low)
      await visit(page, '/pipeline?mine=true&ratingMin=10')
      await expect(page.getByText('No founders match these filters')).toBeVisible()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await expect(column(page, 'Not started')).toContainText(low)
    })
    await test.step('loads more of a column, and draws only the cards in sight', async () => {
      const word = own('Many')
      const stage = await stageNamed(page, 'In review')
      const ids: string[] = []
      for (let place = 0; place < 55; place += 1) ids.push((await addCompany(page, { name: `${word} ${place}` })).id)
      await callApi(page, 'POST', '/records/bulk', { ids, set: { stage } })
      await visit(page, '/pipeline?show=companies')
      const review = column(page, 'In review')
      await expect(review.getByRole('heading', { level: 2 })).toContainText('55')
      expect(await review.getByRole('article').count()).toBeLessThan(30)
      await review.getByRole('button', { name: 'Load more' }).press('Enter')
      await expect(review.getByRole('button', { name: 'Load more' })).toHaveCount(0)
      await review.getByRole('list').evaluate((list) => list.parentElement?.scrollTo(0, 100_000))
      await expect(review).toContainText(`${word} 0`)
    })
    await test.step('works on a phone, in dark mode, and says when it is empty or cannot be loaded', async () => {
      await page.setViewportSize({ width: 390, height: 844 })

      const name = own('Phone')
      await addFounder(page, { name })
      await visit(page, '/')
      await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' }).click()
      await page.getByRole('link', { name: 'Pipeline' }).filter({ visible: true }).click()
      await expect(column(page, 'Not started')).toContainText(name)
      await expectNoSidewaysScroll(page)
      // A shadow says that the row of columns goes on.
      const frame = page.locator('[data-more]').filter({ has: column(page, 'Not started') })
      await expect(frame).toHaveAttribute('data-more', 'after')
      await choose(page, 'Status', 'Advanced')
      await expect(page.getByText('No founders with the status Advanced')).toBeVisible()
      await failWith(page, '/pipeline?*', 500, { error: 'Something went wrong' })
      await choose(page, 'Status', 'On hold')
      await expect(page.getByText('The pipeline could not be loaded')).toBeVisible()
      await expectAccessible(page, ['dark'])
      expectNoComplaintsButOf(complaints, 500)
    })
  })

  test('shows the moves of a colleague, and when two move one card the second decides', async ({
    page,
    openCaller,
    complaints,
  }) => {
    const grace = await openCaller()
    await join(grace)
    await join(page)
    const name = own('Contested')
    const { id } = await addFounder(page, { name })
    await page.goto('/pipeline')
    await expect(column(page, 'Not started')).toContainText(name)
    await setPipeline(grace, id, { stage: await stageNamed(grace, 'Contacted') })
    await expect(column(page, 'Contacted')).toContainText(name)

    await holdLiveStream(page)
    await page.reload()
    await expect(column(page, 'Contacted')).toContainText(name)
    await setPipeline(grace, id, { stage: await stageNamed(grace, 'In review') })
    await dragTo(page, name, 'Met')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(`Someone else changed ${name} meanwhile`)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Keep theirs' }).click()
    await expect(column(page, 'In review')).toContainText(name)
    await dragTo(page, name, 'Met')
    await expect(column(page, 'Met')).toContainText(name)
    expectNoComplaintsButOf(complaints, 409)
  })
})

test.describe('The board on touch', () => {
  test.use({ hasTouch: true, viewport: { width: 768, height: 1024 } })

  test('has chips of filters and targets of 40 px, and moves a card by its grip; a finger on the card itself scrolls', async ({
    page,
  }) => {
    await join(page)
    const name = own('Touched')
    await addFounder(page, { name })
    const bodies = changesOf(page)
    await page.goto('/pipeline')
    await expect(column(page, 'Not started')).toContainText(name)
    await expect(chip(page, 'Mine')).toBeVisible()
    await expect(chip(page, 'Rating')).toBeVisible()
    expect(await smallTargets(page, 40)).toEqual([])
    const touch = await page.context().newCDPSession(page)
    const slide = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      const at = ({ x, y }: { x: number; y: number }) => ({ touchPoints: [{ x, y }] })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) })
      for (let step = 1; step <= 8; step += 1) {
        const between = (one: number, other: number) => one + ((other - one) * step) / 8
        const place = { x: between(from.x, to.x), y: between(from.y, to.y) }
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(place) })
      }
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    const middleOf = async (one: ReturnType<typeof column>) => {
      const { x, y, width, height } = (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      return { x: x + width / 2, y: y + Math.min(height / 2, 120) }
    }
    const target = await middleOf(column(page, 'Contacted'))
    await slide(await middleOf(card(page, name)), target)
    await expect(column(page, 'Not started')).toContainText(name)
    expect(bodies).toEqual([])

    await slide(await middleOf(grip(page, name)), await middleOf(column(page, 'Contacted')))
    await expect(column(page, 'Contacted')).toContainText(name)
    expect(bodies).toEqual([{ stage: await stageNamed(page, 'Contacted'), version: 0 }])
  })
})
