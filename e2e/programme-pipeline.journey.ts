import { joinAsManager } from './manager.ts'
import { operate } from './operator.ts'
import { part, setPipeline, stageNamed } from './pipeline.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  freshAddress,
  join,
  own,
  test,
  toast,
  visit,
} from './product.ts'
import { addFounder } from './records.ts'

test.describe.configure({ mode: 'default' })

test.describe('The pipeline of the programme', () => {
  test('has stages that a manager adds, renames, limits, orders and archives, by keyboard, and at most eight reasons for passing', {
    tag: '@slow',
  }, async ({ page, product, complaints }) => {
    await joinAsManager(page, product)
    await test.step('has stages that a manager adds, renames, limits, orders and archives, by keyboard', async () => {
      await visit(page, '/programme')
      await page
        .getByRole('navigation', { name: 'Programme' })
        .getByRole('link', { name: 'Stages and reasons' })
        .press('Enter')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Programme')
      const list = page.getByRole('list', { name: 'Stages in their order' })
      await expect(list.getByRole('listitem')).toHaveCount(3)
      await expectAccessible(page)
      await expectNoSidewaysScrollAtAnyWidth(page)

      const name = own('Partner call')
      await page.getByRole('button', { name: 'Add a stage' }).press('Enter')
      await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
      await page.keyboard.type(name)
      await page.getByRole('textbox', { name: 'Limit of days' }).fill('0')
      await page.keyboard.press('Enter')
      await expect(page.getByText('The limit must be a whole number of days')).toBeVisible()
      await page.getByRole('textbox', { name: 'Limit of days' }).fill('14')
      await page.keyboard.press('Enter')
      await expect(list.getByRole('listitem').last()).toContainText(name)
      await expect(list.getByRole('listitem').last()).toContainText('At most 14 days')
      await expect(page.getByRole('button', { name: 'Add a stage' })).toBeFocused()

      const up = page.getByRole('button', { name: `Move ${name} up` })
      await up.press('Enter')
      await expect(list.getByRole('listitem').nth(2)).toContainText(name)
      await expect(up).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(list.getByRole('listitem').nth(1)).toContainText(name)

      await page.getByRole('button', { name: `Edit the stage ${name}` }).press('Enter')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(`${name} 2`)
      await page.keyboard.press('Enter')
      await expect(list).toContainText(`${name} 2`)

      // A record in an archived stage stays there, and the board shows it as long as it does.
      const { id, name: founder } = await addFounder(page)
      await setPipeline(page, id, { stage: await stageNamed(page, `${name} 2`) })
      await page.getByRole('button', { name: `Archive the stage ${name} 2` }).press('Enter')
      await expect(page.getByRole('list', { name: 'Archived stages' })).toContainText(`${name} 2`)
      await expect(list.getByRole('listitem')).toHaveCount(3)
      await visit(page, '/pipeline')
      await expect(page.getByRole('region', { name: `${name} 2`, exact: true })).toContainText(founder)
      await visit(page, '/programme/pipeline')
      await page.getByRole('button', { name: `Bring back the stage ${name} 2` }).press('Enter')
      await expect(list).toContainText(`${name} 2`)
      expectNoComplaintsButOf(complaints, 400)
    })
    await test.step('has at most eight reasons for passing', async () => {
      await visit(page, '/programme/pipeline')
      const form = page.getByRole('form', { name: 'Reasons for passing' })
      await expect(form.getByRole('textbox')).toHaveCount(7)
      await form.getByRole('button', { name: 'Add a reason' }).press('Enter')
      await expect(form.getByRole('textbox', { name: 'Reason 8' })).toBeFocused()
      const reason = own('Too late')
      await page.keyboard.type(reason)
      await expect(form.getByRole('button', { name: 'Add a reason' })).toBeDisabled()
      await form.getByRole('button', { name: 'Remove the reason Team' }).press('Enter')
      await form
        .getByRole('combobox', { name: 'Look again at records passed for Traction' })
        .selectOption('In 12 months')
      await form.getByRole('button', { name: 'Save' }).press('Enter')
      await expect(toast(page, 'Reasons saved')).toBeVisible()
      const { body } = await callApi(page, 'GET', '/passing-reasons')
      expect(body.map((one: { name: string }) => one.name)).toEqual([
        ...['Not a fit', 'Too early', 'Market', 'Traction', 'Went elsewhere', 'No reply', reason],
      ])
      expect(body.map((one: { lookAgain: number | null }) => one.lookAgain)).toEqual([
        null,
        6,
        null,
        12,
        null,
        null,
        null,
      ])
      await expectAccessible(page)
    })
  })

  test('has a status that managers alone set and take back, and a fellow sees so', { tag: '@slow' }, async ({
    page,
    product,
    openCaller,
  }) => {
    const manager = await openCaller()
    const email = freshAddress('manager')
    await join(manager, { email })
    await operate(product, 'accounts', 'make-manager', email)
    await join(page)
    const { id, name } = await addFounder(page)
    await setPipeline(page, id, { stage: await stageNamed(page, 'Met') })
    await page.goto(`/founders/${id}`)
    const status = part(page, 'Pipeline').getByRole('combobox', { name: 'Status' })
    const forManagers = status.locator('option:disabled')
    await expect(forManagers).toHaveText(['Advanced (managers only)'])
    await setPipeline(manager, id, { status: 'advanced' })
    await expect(status).toHaveValue('advanced')
    await expect(forManagers).toHaveText(['Active', 'On hold', 'Pass…'].map((word) => `${word} (managers only)`))
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)

    await page.goto('/pipeline?status=advanced')
    await page.getByRole('button', { name: `Stage and status of ${name}` }).click()
    await expect(page.getByRole('menuitem', { name: 'Active (managers only)' })).toBeDisabled()
    await expect(page.getByRole('menuitem', { name: 'Advanced' })).toBeEnabled()
    await expectAccessible(page)
  })
})
