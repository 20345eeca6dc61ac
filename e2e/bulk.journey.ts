import { press as pressKey, tabTo } from './keys.ts'
import { part, pipelineOf, setPipeline, stageNamed } from './pipeline.ts'
import { DESKTOP, expect, expectAccessible, expectNoSidewaysScroll, join, own, test, toast, visit } from './product.ts'
import { addFounder } from './records.ts'
import { smallTargets } from './targets.ts'
import { walk } from './walk.ts'

test.describe('Many records at once', () => {
  test('are selected in the table by keyboard alone, get a stage, are passed with one reason, stay selected, and all of it is undone', async ({
    page,
  }) => {
    await join(page)
    const word = own('Bulk')
    const ids: string[] = []
    for (const place of [1, 2, 3, 4, 5]) ids.push((await addFounder(page, { name: `${word} ${place}` })).id)
    await page.goto(`/founders?search=${word}&view=table`)
    const box = (place: number) => page.getByRole('checkbox', { name: `Select ${word} ${place}` })
    await tabTo(page, 'checkbox', `Select ${word} 4`)
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await expect(box(3)).toBeFocused()
    await page.keyboard.press('Space')
    const bar = part(page, 'Selected rows')
    await expect(bar).toContainText('2 selected')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(bar).toContainText('3 selected')
    await expectAccessible(page)
    expect(await smallTargets(page, 24)).toEqual([])
    await tabTo(page, 'checkbox', 'Select all shown')
    await page.keyboard.press('Space')
    await expect(bar).toContainText('5 selected')
    await pressKey(bar, 'button', 'Set stage')
    await page.keyboard.press('2')
    const done = toast(page, '5 founders changed')
    await expect(done).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: `${word} 1` })).toContainText('Met')
    for (const id of ids) expect(await pipelineOf(page, id)).toMatchObject({ stage: { name: 'Met' } })
    await expect(bar).toContainText('5 selected')

    // What changed since stays, and is listed.
    await setPipeline(page, ids[0] as string, { stage: await stageNamed(page, 'In review') })
    await pressKey(done, 'button', 'Undo')
    await expect(toast(page, '4 founders restored. 1 kept')).toBeVisible()
    expect(await pipelineOf(page, ids[0] as string)).toMatchObject({ stage: { name: 'In review' } })
    expect(await pipelineOf(page, ids[1] as string)).toMatchObject({ stage: null })

    await test.step('five are passed with one reason by five acts of the mouse, which one undo gives back', async () => {
      await bar.getByRole('button', { name: 'Clear selection' }).click()
      await expect(bar).toHaveCount(0)
      const { press, pressWithShift, expectActs } = walk(page)
      await press('checkbox', `Select ${word} 1`)
      await pressWithShift('checkbox', `Select ${word} 5`)
      await press('button', 'Pass…')
      await expect(page.getByRole('dialog', { name: 'Why pass on 5 founders?' })).toBeVisible()
      await press('radio', /^Team/)
      await press('button', 'Pass')
      expectActs(5)
      const passed = toast(page, '5 founders passed')
      await expect(passed).toBeVisible()
      await expect(bar).toContainText('5 selected')
      for (const id of ids)
        expect(await pipelineOf(page, id)).toMatchObject({ status: 'passed', reason: { name: 'Team' } })
      const undo = walk(page)
      await undo.press('button', 'Undo')
      undo.expectActs(1)
      await expect(toast(page, '5 founders restored.')).toBeVisible()
      for (const id of ids) expect(await pipelineOf(page, id)).toMatchObject({ status: 'active' })
    })
  })

  test('get a tag and a responsible fellow, which Recent changes undoes, also on a phone', { tag: '@slow' }, async ({
    page,
  }) => {
    const me = own('Ada')
    await join(page, { name: me })
    await test.step('fit a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 })

      const word = own('Bulk')
      await addFounder(page, { name: word })
      await visit(page, `/founders?search=${word}&view=table`)
      await page.getByRole('checkbox', { name: `Select ${word}` }).click()
      await expect(part(page, 'Selected rows').getByRole('button', { name: 'Set stage' })).toBeInViewport()
      await expectNoSidewaysScroll(page)
      await expectAccessible(page, ['dark'])
      await page.setViewportSize(DESKTOP)
    })
    await test.step('get a tag and a responsible fellow, which Recent changes undoes', async () => {
      const word = own('Bulk')
      for (const place of [1, 2]) await addFounder(page, { name: `${word} ${place}` })
      await visit(page, `/founders?search=${word}&view=table`)
      await expect(page.getByRole('row').filter({ hasText: word })).toHaveCount(2)
      const bar = part(page, 'Selected rows')
      await page.getByRole('checkbox', { name: 'Select all shown' }).click()
      await bar.getByRole('button', { name: 'Add tag' }).click()
      const tag = own('Yale')
      await expect(page.getByLabel('Tag for 2 founders')).toBeFocused()
      await page.keyboard.type(tag)
      await expectAccessible(page)
      await page.keyboard.press('Enter')
      await expect(toast(page, '2 founders changed')).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)

      await bar.getByRole('button', { name: 'Set responsible' }).click()
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Me' })).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Me' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await visit(page, `/founders?search=${word}`)
      await expect(page.getByRole('article').first()).toContainText(tag)

      await visit(page, '/changes')
      const entry = page.getByRole('listitem').filter({ hasText: `the tag ${tag}` })
      await entry.getByRole('button', { name: /^Undo/ }).click()
      await expect(entry).toContainText('Undone')
      await visit(page, `/founders?search=${word}`)
      await expect(page.getByRole('article').first()).not.toContainText(tag)
    })
  })
})
