import type { APIRequestContext, Page } from '@playwright/test'
import type { InboxLine } from '../contract/inbox.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectAccessibleInForcedColors,
  expectNoSidewaysScrollAtAnyWidth,
  join,
  own,
  test,
  toast,
  visit,
} from './product.ts'
import { addFounder } from './records.ts'
import { walk } from './walk.ts'

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Inbox/ })
const lines = (page: Page, group = 'For you') => page.getByRole('list', { name: group }).getByRole('article')
const line = (page: Page, name: string) => lines(page).filter({ hasText: name })
const link = (page: Page, name: string) => line(page, name).getByRole('link')

/** The public id of a fellow, as others find it. */
const idOf = async (caller: APIRequestContext, name: string) =>
  (await callApi(caller, 'GET', `/fellows?${new URLSearchParams({ search: name })}`)).body[0].id as string

const mention = (caller: APIRequestContext, record: string, { id, name }: { id: string; name: string }) =>
  callApi(caller, 'POST', `/notes/founder/${record}`, {
    content: `@${name}`,
    mentions: [{ id, at: 0, length: name.length + 1 }],
  })

test('The inbox: what is for me is live on the bell, and is done by keyboard, by buttons and by swipes', async ({
  page,
  openCaller,
}) => {
  const me = { name: own('Ada'), id: '' }
  await join(page, me)
  const tom = await openCaller()
  await join(tom, { name: 'Tom Baker' })
  me.id = await idOf(tom, me.name)
  const [one, two, three] = [
    await addFounder(tom, { name: own('One') }),
    await addFounder(tom, { name: own('Two') }),
    await addFounder(tom, { name: own('Three') }),
  ]
  const openKeys = async () => ((await callApi(page, 'GET', '/inbox')).body as InboxLine[]).map(({ key }) => key)
  const passed = await addFounder(page, { name: own('Passed') })

  await test.step('the bell says the number within a second, at every width', async () => {
    await page.goto('/')
    await expect(bell(page)).toHaveAccessibleName('Inbox')
    await mention(tom, one.id, me)
    await expect(bell(page)).toHaveAccessibleName('Inbox 1 for you')
    await callApi(tom, 'POST', `/records/${two.id}/opinions/ask`, { fellows: [me.id] })
    await callApi(tom, 'PUT', `/records/${three.id}/pipeline`, { responsible: me.id, version: 0 })
    await expect(bell(page)).toHaveAccessibleName('Inbox 3 for you')
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(bell(page)).toBeVisible()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('G I opens it, with the newest line first, by day', async () => {
    const { key, expectActs } = walk(page)
    await key('g')
    await key('i')
    expectActs(2)
    await expect(page).toHaveURL('/inbox')
    await expect(lines(page)).toHaveCount(3)
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Today'])
    await expect(lines(page).first()).toContainText(three.name)
    await expectAccessible(page)
    await expectAccessibleInForcedColors(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
  })

  await test.step('J and K go from line to line; E and D mark it as done; Z takes back', async () => {
    await page.keyboard.press('j')
    await expect(link(page, three.name)).toBeFocused()
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('e')
    await expect(line(page, three.name)).toHaveCount(0)
    await expect(link(page, two.name)).toBeFocused()
    await page.keyboard.press('d')
    await expect(lines(page)).toHaveCount(1)
    await expect(bell(page)).toHaveAccessibleName('Inbox 1 for you')
    await page.keyboard.press('z')
    await expect(line(page, two.name)).toBeVisible()
    await expect(bell(page)).toHaveAccessibleName('Inbox 2 for you')
    const states = page.getByRole('navigation', { name: 'State' })
    await states.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('button', { name: `Open again: Tom Baker made you responsible for ${three.name}` }).click()
    await expect(page.getByRole('heading', { name: 'Nothing is done' })).toBeVisible()
    await states.getByRole('link', { name: 'Open' }).click()
    await expect(lines(page)).toHaveCount(3)
  })

  await test.step('U marks a line as unread, and M mutes its record', async () => {
    await callApi(page, 'POST', '/inbox/read', { until: new Date().toISOString() })
    await expect(bell(page)).toHaveAccessibleName('Inbox')
    await page.keyboard.press('j')
    await expect(link(page, three.name)).toBeFocused()
    await page.keyboard.press('u')
    await expect(bell(page)).toHaveAccessibleName('Inbox 1 for you')
    await expect(line(page, three.name)).toContainText('Unread')
    const { key, expectActs } = walk(page)
    await key('m')
    expectActs(1)
    await expect(toast(page, `News of ${three.name} is muted`)).toBeVisible()
    expect((await callApi(page, 'GET', `/records/${three.id}/follow`)).body).toEqual({ state: 'mute' })
    await page.keyboard.press('z')
    await expect
      .poll(async () => (await callApi(page, 'GET', `/records/${three.id}/follow`)).body)
      .toEqual({ state: 'none' })
  })

  await test.step('all lines are done at once, which is taken back too', async () => {
    const { press, expectActs } = walk(page)
    await press('button', 'Mark all as done')
    expectActs(1)
    await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible()
    await expect(bell(page)).toHaveAccessibleName('Inbox')
    await page.keyboard.press('z')
    await expect(lines(page)).toHaveCount(3)
    await expect(bell(page)).toHaveAccessibleName('Inbox 1 for you')
  })

  await test.step('a record opened from the inbox says its place there, with Done; J and K walk the inbox, D marks it and opens the next', async () => {
    const others = page.getByRole('navigation', { name: 'Other lines of the inbox' })
    const expectShown = async ({ name }: { name: string }, place: string) => {
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await expect(others).toContainText(place)
    }
    await link(page, two.name).press('Enter')
    await expectShown(two, '2 of 3·Done')
    await page.keyboard.press('k')
    await expectShown(three, '1 of 3')
    await expectAccessible(page)
    await page.keyboard.press('d')
    await expectShown(two, '2 of 3')
    await expect.poll(openKeys).toHaveLength(2)
    await page.keyboard.press('z')
    await expect.poll(openKeys).toHaveLength(3)
    await page.keyboard.press('j')
    await expectShown(one, '3 of 3')
    await others.getByRole('button', { name: 'Done' }).click()
    await expect(page).toHaveURL('/inbox')
    await expect(lines(page)).toHaveCount(2)
    await page.keyboard.press('z')
    await expect(lines(page)).toHaveCount(3)
  })

  await test.step('a passed record whose day has come is active again, or passed for good, in place', async () => {
    const reason = (await callApi(page, 'GET', '/passing-reasons')).body[0].id
    const today = new Date().toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })
    await callApi(page, 'PUT', `/records/${passed.id}/pipeline`, {
      ...{ status: 'passed', reason: { id: reason }, lookAgainOn: today, version: 0 },
    })
    await visit(page, '/')
    await visit(page, '/inbox')
    const { press, expectActs } = walk(page)
    await press('button', /^Active again/, line(page, passed.name))
    expectActs(1)
    await expect(line(page, passed.name)).toHaveCount(0)
    expect((await callApi(page, 'GET', `/records/${passed.id}/pipeline`)).body.status).toBe('active')
    await page.getByRole('button', { name: 'Undo' }).click()
    const passing = walk(page)
    await passing.press('button', /^Pass for good/, line(page, passed.name))
    passing.expectActs(1)
    await expect(line(page, passed.name)).toHaveCount(0)
    const { body } = await callApi(page, 'GET', `/records/${passed.id}/pipeline`)
    expect([body.status, body.lookAgainOn]).toEqual(['passed', undefined])
  })

  await test.step('on a phone a swipe right is done, left mute', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    const touch = await page.context().newCDPSession(page)
    await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await visit(page, '/')
    await visit(page, '/inbox')
    const swipe = async (name: string, by: number) => {
      const box = await line(page, name).boundingBox()
      const at = (part: number) => ({
        touchPoints: [{ x: 195 - by / 2 + by * part, y: (box?.y ?? 0) + 20 }],
      })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(0) })
      for (const part of [0.2, 0.4, 0.6, 0.8, 1])
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(part) })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await swipe(two.name, -160)
    await expect(toast(page, `News of ${two.name} is muted`)).toBeVisible()
    await swipe(one.name, 160)
    await expect(line(page, one.name)).toHaveCount(0)
    await expect(lines(page)).toHaveCount(2)
    await touch.detach()
  })
})
