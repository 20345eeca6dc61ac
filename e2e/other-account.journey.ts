import type { Page } from '@playwright/test'
import { part } from './pipeline.ts'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScrollAtAnyWidth,
  freshAddress,
  hold,
  join,
  own,
  PASSWORD,
  signIn,
  test,
} from './product.ts'
import { addFounder } from './records.ts'

/** The line of a page whose account is not the one that is signed in. */
const line = (page: Page) => page.getByRole('alert').filter({ hasText: 'is signed in in this browser now' })

/** Everything that the API says about a record, and the lists. */
const stateOf = async (page: Page, id: string) => {
  const paths = [`/founders/${id}`, `/notes/founder/${id}`, `/founders/${id}/history`, `/records/${id}/tags`]
  const more = [
    `/records/${id}/pipeline`,
    `/records/${id}/opinions`,
    `/records/${id}/finders`,
    '/founders',
    '/companies',
  ]
  return Promise.all([...paths, ...more].map(async (path) => (await callApi(page, 'GET', path)).body))
}

/** Calls of the first page, on their way when the second account signs in (401) or sent later (409). */
const ignoreRefusals = (complaints: string[]) => expectNoComplaintsButOf(complaints, 401, 409)

/** The new founders in *Since you were last here*. */
const countNew = async (page: Page) => (await callApi(page, 'GET', '/since')).body.founders.founder.count

const stars = (page: Page) => page.getByRole('group', { name: 'Your rating' })

const TEN_ACTS: [name: string, act: (page: Page) => Promise<unknown>][] = [
  ['a note', (page) => page.getByRole('textbox', { name: 'New note' }).press('Enter')],
  ['a correction', (page) => page.getByRole('textbox', { name: 'Name', exact: true }).press('Enter')],
  ['a stage', (page) => part(page, 'Pipeline').getByRole('button', { name: 'Stage: Not started' }).click()],
  ['the choice of the stage', (page) => page.keyboard.press('2')],
  ['a tag', (page) => part(page, 'Tags').getByRole('button', { name: 'Add a tag' }).click()],
  ['the name of the tag', (page) => page.keyboard.type('Climate\n')],
  ['an opinion', (page) => page.getByRole('button', { name: 'Give your opinion' }).click()],
  [
    'its rating and the key that saves it',
    (page) =>
      stars(page)
        .getByRole('radio')
        .first()
        .press('7')
        .then(() => page.keyboard.press('Control+Enter')),
  ],
  ['another screen', (page) => page.getByRole('link', { name: 'Dashboard' }).first().click()],
  ['a sign-out', (page) => page.getByRole('button', { name: 'Logout' }).click()],
]

test.describe('Two tabs with two accounts', () => {
  test('each show their own after ten acts: nothing is written, nothing marked as read, nothing typed lost', async ({
    page,
    openCaller,
    complaints,
  }) => {
    const ada = await join(page, { name: 'Ada Lovelace' })
    const { id, name } = await addFounder(page, { name: own('Subject') })
    const graceAlone = await openCaller()
    const grace = { email: freshAddress('grace'), name: 'Grace Hopper' }
    await join(graceAlone, grace)
    await callApi(graceAlone, 'POST', `/notes/founder/${id}`, { content: 'By Grace' })

    await addFounder(page)

    await page.goto(`/founders/${id}`)
    await expect(page.getByText('By Grace').first()).toBeVisible()
    await page.getByRole('textbox', { name: 'New note' }).fill('Typed by Ada')
    await page.getByRole('button', { name: `Edit the name of ${name}` }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half a name')

    const other = await page.context().newPage()
    await callApi(other, 'POST', '/auth/login', { email: grace.email, password: PASSWORD })
    const before = await stateOf(other, id)
    await expect.poll(() => countNew(other)).toBe(1)
    await other.goto(`/founders/${id}`)
    await expect(other.getByText('By Grace').first()).toBeVisible()

    // Without any act: the stream of the first page has ended.
    await expect(line(page)).toContainText(`Grace Hopper (${grace.email}) is signed in in this browser now`)
    for (const [what, act] of TEN_ACTS)
      await test.step(what, async () => {
        await act(page)
        await expect(line(page)).toBeVisible()
        await expect(page.getByText('Ada Lovelace').first()).toBeVisible()
        await expect(other.getByText('Grace Hopper').first()).toBeVisible()
      })
    expect(await stateOf(other, id)).toEqual(before)
    expect(await countNew(other)).toBe(1)
    expect((await callApi(other, 'GET', '/auth/me')).body.user.email).toBe(grace.email)
    await expect(line(other)).toHaveCount(0)

    // The first person signs in again, with what was typed.
    await page.goBack()
    await line(page)
      .getByRole('button', { name: `Sign in again as ${ada.email}` })
      .click()
    await expect(page.getByLabel('Email')).toHaveValue(ada.email)
    await page.getByRole('button', { name: 'Continue to Platform' }).click()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Access Platform' }).click()
    await expect(page).toHaveURL(`/founders/${id}`)
    await expect(page.getByRole('textbox', { name: 'New note' })).toHaveValue('Typed by Ada')
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Half a name')
    await expect(line(page)).toHaveCount(0)
    await expect(line(other)).toContainText(`(${ada.email}) is signed in in this browser now`)
    ignoreRefusals(complaints)
  })

  test('go on as the second person in the first tab, without what the first one has typed', { tag: '@slow' }, async ({
    page,
    complaints,
  }) => {
    await join(page, { name: 'Ada Lovelace' })
    // A call that is on its way with the session that the second sign-in ends.
    const answer = await hold(page, '/nav-counts', { status: 401, json: { error: 'Not authenticated' } })
    const late = page.waitForResponse('**/api/nav-counts')
    await page.goto('/founders/add')
    await page.getByLabel('Name', { exact: true }).fill('Typed by Ada')
    const other = await page.context().newPage()
    const grace = await join(other, { name: 'Grace Hopper' })
    answer()
    await late
    await expect(line(page)).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScrollAtAnyWidth(page)
    await line(page).getByRole('button', { name: 'Go on as Grace Hopper' }).click()
    await expect(page.getByText(grace.email).first()).toBeAttached()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('')
    await expect(page.getByRole('region', { name: 'Not saved' })).toHaveCount(0)
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')))).toEqual([])
    ignoreRefusals(complaints)
  })

  test('go on by themselves in the first tab when its account is signed in again', { tag: '@slow' }, async ({
    page,
    complaints,
  }) => {
    const ada = await join(page)
    await page.goto('/founders/add')
    await page.getByLabel('Name', { exact: true }).fill('Typed by Ada')
    const other = await page.context().newPage()
    await join(other, { name: 'Grace Hopper' })
    await expect(line(page)).toBeVisible()
    await other.goto('/')
    await other.getByRole('button', { name: 'Logout' }).click()
    await expect(other).toHaveURL('/auth')
    await signIn(other, ada.email)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(line(page)).toHaveCount(0)
    await page.getByLabel(/LinkedIn profile/).fill(`https://www.linkedin.com/in/${own('again')}`)
    await page.getByLabel('Notes').fill('Met again.')
    await page.getByRole('button', { name: /^Add to / }).click()
    await expect(page).toHaveURL('/founders')
    ignoreRefusals(complaints)
  })
})
