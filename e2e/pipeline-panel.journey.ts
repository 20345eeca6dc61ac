import type { Page } from '@playwright/test'
import { part, pipelineOf, setPipeline, stageNamed } from './pipeline.ts'
import {
  callApi,
  DESKTOP,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  failWith,
  holdLiveStream,
  join,
  own,
  test,
  toast,
  visit,
} from './product.ts'
import { addCompany, addFounder, card } from './records.ts'
import { walk } from './walk.ts'

test.describe('The pipeline on the page of a record', () => {
  test('has rows that look the same whether set or not, and sets stage, fellow and next step by keyboard', async ({
    page,
  }) => {
    const me = own('Ada')
    await join(page, { name: me })
    const { id } = await addFounder(page)
    await page.goto(`/founders/${id}`)
    const panel = part(page, 'Pipeline')
    const values = panel.getByRole('button', { name: /^(Stage: Not started|Responsible: Assign…|Add a next step)$/ })
    await expect(values).toHaveCount(3)
    const lefts = async () => (await values.all()).map(async (value) => (await value.boundingBox())?.x)
    expect(new Set(await Promise.all(await lefts())).size).toBe(1)

    const stage = walk(page)
    await stage.key('s')
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page)
    await stage.key('2')
    stage.expectActs(2)
    await expect(panel.getByRole('button', { name: 'Stage: Met' })).toBeVisible()
    await expect(panel).toContainText('Less than a day in this stage')
    await pressStage(page, 'i')
    await expect(panel.getByRole('button', { name: 'Stage: In review' })).toBeVisible()

    const responsible = walk(page)
    await responsible.pressByKey('button', /^Me/, panel)
    responsible.expectActs(1)
    await expect(panel).toContainText(me)
    await panel.getByRole('button', { name: 'Add a next step' }).press('Enter')
    await expect(panel.getByRole('textbox', { name: 'Next step' })).toBeFocused()
    await page.keyboard.type('Call the reference')
    await panel.getByLabel('On').fill('2020-01-02')
    await page.keyboard.press('Enter')
    await expect(panel).toContainText('Call the reference')
    await expect(panel).toContainText('late')
    await expect(panel.getByRole('button', { name: 'Change the next step' })).toBeFocused()
    const file = await page.request.get(
      (await panel.getByRole('link', { name: /^Calendar/ }).getAttribute('href')) ?? '',
    )
    expect(await file.text()).toContain('Call the reference')
    await expectAccessible(page)
    for (const width of [768, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await expectNoSidewaysScroll(page)
    }
    expect(await pipelineOf(page, id)).toMatchObject({ stage: { name: 'In review' }, nextOn: '2020-01-02' })
  })

  test('asks for the reason before passing; cancelling changes nothing', async ({ page }) => {
    await join(page)
    const { id, name } = await addCompany(page)
    await setPipeline(page, id, { stage: await stageNamed(page, 'Met') })
    await page.goto(`/companies/${id}`)
    const panel = part(page, 'Pipeline')
    const status = panel.getByRole('combobox', { name: 'Status' })
    await status.selectOption('passed')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('heading')).toHaveText(`Why pass on ${name}?`)
    await expect(dialog.getByRole('radio').first()).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('Choose a reason')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(status).toHaveValue('active')
    expect(await pipelineOf(page, id)).toMatchObject({ status: 'active', version: 1 })

    await panel.getByText('Stage', { exact: true }).click()
    const { key, choose, fill, pressByKey, expectActs } = walk(page)
    await key('p')
    await expect(dialog.getByRole('radio').first()).toBeFocused()
    const again = dialog.getByRole('combobox', { name: 'Look again' })
    await expect(again).toHaveValue('')
    await key('ArrowDown')
    // The reason proposes it.
    await expect(again.getByRole('option', { selected: true })).toHaveText('In 6 months')
    await choose('Look again', 'On a day…', dialog)
    await dialog.getByRole('button', { name: 'Pass', exact: true }).press('Enter')
    await expect(dialog.getByLabel('On', { exact: true })).toBeFocused()
    await fill('On', '2031-05-03', dialog)
    await expectAccessible(page)
    await dialog.getByRole('textbox', { name: 'Remark' }).fill('Come back in a year')
    await pressByKey('button', 'Pass', dialog)
    expectActs(5)
    await expect(status).toHaveValue('passed')
    await expect(panel).toContainText('Too early: Come back in a year')
    await expect(panel.getByRole('button', { name: 'Stage: Met' })).toBeVisible()

    await test.step('shows the day to look again, which can be changed and ended', async () => {
      const day = panel.getByRole('button', { name: /^Change the day to look again/ })
      await expect(day).toContainText('2031')
      await day.press('Enter')
      const field = panel.getByLabel('Look again on')
      await expect(field).toBeFocused()
      await field.fill('2032-01-02')
      await page.keyboard.press('Enter')
      await expect(day).toContainText('2032')
      await expect(day).toBeFocused()
      await expectAccessible(page)
      expect(await pipelineOf(page, id)).toMatchObject({ status: 'passed', lookAgainOn: '2032-01-02', nextOn: null })
      await panel.getByRole('button', { name: 'Never look again' }).click()
      await expect(day).toContainText('Never')
    })
  })
})

test('A change of the pipeline that is refused, or lacks its reasons, never looks done, and the page says why', {
  tag: '@slow',
}, async ({ page, complaints }) => {
  await join(page)
  await test.step('Without its fellows or reasons, the panel says so', async () => {
    const { id } = await addFounder(page)
    await failWith(page, '/passing-reasons', 500, { error: 'Something went wrong' })
    await visit(page, `/founders/${id}`)
    await part(page, 'Pipeline').getByRole('button', { name: 'Pass…' }).click()
    await expect(page.getByRole('dialog')).toContainText('The reasons could not be loaded')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.unroute('**/api/passing-reasons')
    expectNoComplaintsButOf(complaints, 500)
  })
  await test.step('A refused change of the pipeline never looks done, and its sentence is shown', async () => {
    const { id } = await addFounder(page)
    await setPipeline(page, id, { stage: await stageNamed(page, 'Contacted') })
    await visit(page, `/founders/${id}`)
    const stage = part(page, 'Pipeline').getByRole('button', { name: /^Stage: / })
    await expect(stage).toHaveAccessibleName('Stage: Contacted')
    await page.route(`**/api/records/${id}/pipeline`, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 403, json: { error: 'Only a manager can do this' } })
        : route.continue(),
    )
    await pressStage(page, '2')
    await expect(toast(page, 'Only a manager can do this')).toBeVisible()
    await expect(stage).toHaveAccessibleName('Stage: Contacted')
    await page.unroute(`**/api/records/${id}/pipeline`)
    await page.route(`**/api/records/${id}/pipeline`, (route) =>
      route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.continue(),
    )
    await pressStage(page, '2')
    await expect(toast(page, 'nothing was changed')).toBeVisible()
    await expect(stage).toHaveAccessibleName('Stage: Contacted')
    expectNoComplaintsButOf(complaints, 403, 'ERR_INTERNET_DISCONNECTED')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

test('Two fellows change one pipeline: the second sees both changes and decides, and other values are united', {
  tag: '@slow',
}, async ({ page, openCaller, complaints }) => {
  const grace = await openCaller()
  await join(grace, { name: 'Grace Hopper' })
  await holdLiveStream(page)
  await join(page)
  const { id, name } = await addFounder(page)
  await setPipeline(page, id, { stage: await stageNamed(page, 'Contacted') })
  await page.goto(`/founders/${id}`)
  const panel = part(page, 'Pipeline')
  const stage = panel.getByRole('button', { name: /^Stage: / })
  await expect(stage).toHaveAccessibleName('Stage: Contacted')

  // Another value: both are kept without a question.
  await setPipeline(grace, id, { nextStep: 'Ask Grace' })
  await pressStage(page, '2')
  await expect(stage).toHaveAccessibleName('Stage: Met')
  await expect(panel).toContainText('Ask Grace')

  await setPipeline(grace, id, { stage: await stageNamed(page, 'In review') })
  await pressStage(page, '1')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`Someone else changed ${name} meanwhile`)
  await expect(dialog.getByText('In review · Active')).toBeVisible()
  await expect(dialog.getByText('Contacted', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(stage).toHaveAccessibleName('Stage: In review')

  await setPipeline(grace, id, { stage: await stageNamed(page, 'Met') })
  await pressStage(page, '1')
  await dialog.getByRole('button', { name: 'Make my change' }).press('Enter')
  await expect(stage).toHaveAccessibleName('Stage: Contacted')
  expect(await pipelineOf(page, id)).toMatchObject({ stage: { name: 'Contacted' }, nextStep: 'Ask Grace' })
  expectNoComplaintsButOf(complaints, 409)
})

test('A founder takes the linked company along by one switch, and a colleague sees both without a reload', {
  tag: '@slow',
}, async ({ page, openCaller }) => {
  const grace = await openCaller()
  await join(grace)
  await join(page)
  const founder = await addFounder(page)
  const company = await addCompany(page, { name: own('Acme') })
  await callApi(page, 'PUT', `/founders/${founder.id}/companies/${company.id}`, { role: 'CEO' })
  await page.goto(`/founders/${founder.id}`)
  const panel = part(page, 'Pipeline')
  await expect(panel.getByRole('button', { name: 'Stage: Not started' })).toBeVisible()
  await page.keyboard.press('s')
  const along = panel.getByRole('menuitemcheckbox', { name: `Move the linked company too ${company.name}` })
  await along.press('Space')
  await expect(along).toBeChecked()
  await expectAccessible(page)
  await page.keyboard.press('2')
  await expect(toast(page, `${company.name} moved along`)).toBeVisible()
  expect(await pipelineOf(page, company.id)).toMatchObject({ stage: { name: 'Met' } })

  await setPipeline(grace, founder.id, { stage: await stageNamed(page, 'In review') })
  await expect(panel.getByRole('button', { name: 'Stage: In review' })).toBeVisible()
})

/** Presses S and a key of its menu, as soon as what was pressed before has been saved. */
async function pressStage(page: Page, key: string) {
  await expect(part(page, 'Pipeline').getByRole('button', { name: /^Stage:/ })).toBeEnabled()
  await page.keyboard.press('s')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press(key)
}

/** A zone where it is another day now than in UTC. */
const ELSEWHERE = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati'

test.describe('In a time zone with another day', () => {
  test.use({ timezoneId: ELSEWHERE, setsClock: true })

  test('My next steps on the dashboard are a list: late, today, the next seven days and all, each with Done and its undo', {
    tag: '@slow',
  }, async ({ page }) => {
    await join(page)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const part = page.getByRole('region', { name: 'My next steps' })
    await expect(part).toHaveCount(0)
    const [{ id: stage }] = (await callApi(page, 'GET', '/stages')).body
    const dayIn = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv', { timeZone: ELSEWHERE })
    const late = await addFounder(page, { name: own('Late') })
    const due = await addCompany(page, { name: own('Due') })
    const soon = await addFounder(page, { name: own('Soon') })
    const later = await addFounder(page, { name: own('Later') })
    for (const [{ id }, nextStep, nextOn] of [
      [late, 'Call the reference', '2026-01-05'],
      [due, 'Send the terms to all partners', dayIn(0)],
      [soon, 'Have lunch', dayIn(5)],
      [later, 'Ask again', '2099-01-01'],
    ] as const)
      await setPipeline(page, id, { stage, nextStep, nextOn })
    const rowOf = (name: string) => part.getByRole('listitem').filter({ hasText: name })

    await test.step('says date, text and name of those that are late, today and in the next seven days', async () => {
      await expect(part.getByRole('heading', { level: 3 })).toHaveText(['Late', 'Today', 'Next seven days'])
      await expect(rowOf(late.name)).toContainText(/2026 · late.*Call the reference/)
      await expect(rowOf(due.name)).toContainText(/Today.*Send the terms/)
      await expect(rowOf(later.name)).toHaveCount(0)
      await expectAccessible(page)
      for (const width of [768, 390, DESKTOP.width]) {
        await page.setViewportSize({ ...DESKTOP, width })
        await expectNoSidewaysScroll(page)
        const text = rowOf(due.name).getByText('Send the terms')
        expect(await text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      }
    })
    await test.step('ends a step by keyboard, goes on with the next row, and brings it back', async () => {
      await rowOf(late.name).getByRole('button', { name: /^Done/ }).press('Enter')
      await expect(rowOf(late.name)).toHaveCount(0)
      await expect(rowOf(due.name).getByRole('button', { name: /^Done/ })).toBeFocused()
      expect(await pipelineOf(page, late.id)).toMatchObject({ nextStep: null, nextOn: null })
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(rowOf(late.name)).toContainText('Call the reference')
      expect(await pipelineOf(page, late.id)).toMatchObject({ nextStep: 'Call the reference', nextOn: '2026-01-05' })
    })
    await test.step('shows all, and leads by its numbers to exactly those records', async () => {
      await part.getByRole('button', { name: /^Show all/ }).press('Enter')
      await expect(rowOf(later.name)).toContainText('Ask again')
      await part.getByRole('button', { name: /^Show fewer/ }).press('Enter')
      await expect(rowOf(later.name)).toHaveCount(0)
      await part.getByRole('link', { name: '1 founder late' }).press('Enter')
      await expect(page.getByRole('article')).toHaveCount(1)
      await expect(card(page, late.name)).toContainText('Call the reference')
      await page.goBack()
      await part.getByRole('link', { name: '1 company today' }).press('Enter')
      await expect(card(page, due.name)).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(1)
      const file = await page.request.get('/api/next-steps.ics')
      expect((await file.text()).match(/BEGIN:VEVENT/g)).toHaveLength(4)
    })
    await test.step('stands on board cards and in the table', async () => {
      await visit(page, `/founders?search=${soon.name}&view=table`)
      await expect(page.getByRole('row').filter({ hasText: soon.name })).toContainText('Have lunch')
      await visit(page, '/pipeline')
      await expect(card(page, soon.name)).toContainText('Have lunch')
    })
  })
})
