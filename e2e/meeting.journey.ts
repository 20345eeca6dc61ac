import type { Page } from '@playwright/test'
import { part, pipelineOf, setPipeline, stageNamed } from './pipeline.ts'
import { expect, join, own, test } from './product.ts'
import { addFounder } from './records.ts'

const RECORDS = 20
const PRESSES_MAX = 100

test(`The meeting on one screen: ${RECORDS} records of a filter are decided in at most ${PRESSES_MAX} key presses`, async ({
  page,
}) => {
  await join(page)
  const word = own('Meeting')
  const met = await stageNamed(page, 'Met')
  const ids: string[] = []
  for (let place = RECORDS; place > 0; place -= 1) {
    const { id } = await addFounder(page, { name: `${word} ${place}` })
    await setPipeline(page, id, { stage: met })
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
  for (let place = 1; place <= RECORDS; place += 1) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${word} ${place}`)
    await expect(panel.getByRole('button', { name: 'Stage: Met' })).toBeVisible()
    if (place % 4 === 0) {
      await press('p')
      await expect(page.getByRole('dialog').getByRole('radio').first()).toBeFocused()
      await press('3')
      await press('Enter')
      await expect(panel.getByRole('combobox', { name: 'Status' })).toHaveValue('passed')
    } else {
      await press('s')
      await press('3')
      await expect(panel.getByRole('button', { name: 'Stage: In review' })).toBeVisible()
    }
    // The record has left the filter, and the way goes on.
    if (place < RECORDS) await press('j')
  }
  expect(presses).toBeLessThanOrEqual(PRESSES_MAX)
  expect(await pipelineOf(page, ids[0] as string)).toMatchObject({ stage: { name: 'In review' } })
  expect(await pipelineOf(page, ids[3] as string)).toMatchObject({ status: 'passed', reason: { name: 'Team' } })
})

async function openRecord(page: Page) {
  await join(page)
  const { id } = await addFounder(page)
  await page.goto(`/founders/${id}`)
  await expect(part(page, 'Pipeline')).toBeVisible()
}

test('The keys of the meeting are listed, do nothing in fields, and can be switched off', async ({ page }) => {
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
  await part(page, 'Pipeline').getByRole('heading').click()
  await page.keyboard.press('s')
  await page.keyboard.press('p')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.evaluate(() => localStorage.removeItem('single-keys'))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Set the stage')
  await expect(page.getByRole('option', { name: /Set the stage/ })).toBeVisible()
})
