import type { Page } from '@playwright/test'
import { joinAsManager } from './manager.ts'
import { part, pipelineOf, setPipeline, stageNamed } from './pipeline.ts'
import { type Caller, callApi, expect, join, own, test } from './product.ts'
import { addFounder } from './records.ts'

const RECORDS = 20
const PRESSES_MAX = 100

/** Opens the first record of a filter with 20 records in a stage, and counts the keys that are pressed from then on. */
async function openMeeting(page: Page, colleague: Caller) {
  const word = own('Meeting')
  const met = await stageNamed(page, 'Met')
  const ids: string[] = []
  for (let place = RECORDS; place > 0; place -= 1) {
    const { id } = await addFounder(page, { name: `${word} ${place}` })
    await setPipeline(page, id, { stage: met })
    await callApi(colleague, 'PUT', `/records/${id}/opinion`, { rating: 4, comment: `About ${place}` })
    ids.unshift(id)
  }
  await page.goto(`/founders?search=${word}&stage=${met}`)
  let presses = 0
  const press = async (key: string) => {
    presses += 1
    await page.keyboard.press(key)
  }
  await page.getByRole('link', { name: `${word} 1`, exact: true }).click()
  const panel = part(page, 'Pipeline')
  /** Reads, sets the stage or passes each fourth record, and goes on. A record that has left the filter is no end. */
  const decideAll = async (read: (place: number) => Promise<void>) => {
    for (let place = 1; place <= RECORDS; place += 1) {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${word} ${place}`)
      await expect(panel.getByRole('button', { name: 'Stage: Met' })).toBeVisible()
      await read(place)
      await expect(page.getByText(`About ${place}`, { exact: true })).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      if (place % 4 === 0) {
        await press('p')
        await expect(page.getByRole('dialog').getByRole('radio').first()).toBeFocused()
        await press('3')
        await expect(panel.getByRole('combobox', { name: 'Status' })).toHaveValue('passed')
      } else {
        await press('s')
        await press('3')
        await expect(panel.getByRole('button', { name: 'Stage: In review' })).toBeVisible()
      }
      if (place < RECORDS) await press('j')
    }
    expect(presses).toBeLessThanOrEqual(PRESSES_MAX)
    expect(await pipelineOf(page, ids[0] as string)).toMatchObject({ stage: { name: 'In review' } })
    expect(await pipelineOf(page, ids[3] as string)).toMatchObject({ status: 'passed', reason: { name: 'Team' } })
  }
  return { press, decideAll, ids }
}

test(`The meeting on one screen: ${RECORDS} records get an opinion and a stage or a reason in at most ${PRESSES_MAX} key presses`, {
  tag: '@slow',
}, async ({ page, openCaller }) => {
  const tom = await openCaller()
  await join(tom, { name: 'Tom Baker' })
  await join(page)
  const { press, decideAll, ids } = await openMeeting(page, tom)
  await decideAll(async () => {
    await expect(page.getByText('1 opinion. Give yours to read it.')).toBeVisible()
    await press('8')
    await expect(page.getByRole('radio', { name: '8 of 10' })).toBeFocused()
    await press('Enter')
  })
  const given = await callApi(page, 'GET', `/records/${ids[19]}/opinions`)
  expect(given.body.mine).toMatchObject({ rating: 8, comment: '', isAfterReading: false })
})

test(`The meeting of a manager: the opinions on ${RECORDS} records are revealed, and each is decided, in at most ${PRESSES_MAX} key presses`, {
  tag: '@slow',
}, async ({ page, product, openCaller }) => {
  const tom = await openCaller()
  await join(tom, { name: 'Tom Baker' })
  await joinAsManager(page, product)
  const { press, decideAll } = await openMeeting(page, tom)
  await decideAll(async () => {
    await expect(page.getByRole('button', { name: 'Reveal' })).toBeVisible()
    await press('v')
    await expect(page.getByRole('button', { name: 'Reveal' })).toBeFocused()
    await press('Enter')
  })
})

async function openRecord(page: Page) {
  await join(page)
  const { id } = await addFounder(page)
  await page.goto(`/founders/${id}`)
  await expect(part(page, 'Pipeline')).toBeVisible()
}

test('The keys of the meeting are listed, do nothing in fields, and can be switched off', { tag: '@slow' }, async ({
  page,
}) => {
  await openRecord(page)
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys).toContainText('Set the stage')
  await expect(keys).toContainText('Pass')
  await page.keyboard.press('p')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.getByRole('textbox', { name: /note/i }).first().click()
  await page.keyboard.type('sp')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.evaluate(() => localStorage.setItem('single-keys', 'off'))
  await part(page, 'Pipeline').getByText('Stage', { exact: true }).click()
  await page.keyboard.press('s')
  await page.keyboard.press('p')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.evaluate(() => localStorage.removeItem('single-keys'))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Set stage')
  await expect(page.getByRole('option', { name: /^Set stage/ })).toBeVisible()
})
