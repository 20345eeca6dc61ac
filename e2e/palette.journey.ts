import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  failWith,
  hold,
  join,
  own,
  test,
  visit,
} from './product.ts'
import { addCompany, addFounder } from './records.ts'
import { walk } from './walk.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search records, screens and commands' })
const open = async (page: Page) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}
const selected = (page: Page) => page.locator('[role=option][data-combobox-selected]')

test.describe('The command palette', () => {
  test('opens records, screens and commands by keyboard alone', { tag: '@slow' }, async ({ page, complaints }) => {
    await join(page)
    await test.step('finds screens and commands, with the keys that work elsewhere too, by keyboard alone', async () => {
      await visit(page, '/founders')
      await expect(page.getByRole('heading', { level: 1, name: 'Search Founders' })).toBeVisible()
      await open(page)
      await expect(page.getByRole('option', { name: /Search founders/ })).toContainText('/')
      // Before anything is typed.
      await expect(selected(page)).toHaveText(/Search founders/)
      await page.keyboard.press('ArrowDown')
      await expect(selected(page)).not.toHaveText(/Search founders/)
      await page.keyboard.type('comp sear')
      await expect(page.getByRole('group', { name: 'Go to' }).getByRole('option')).toHaveCount(1)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/companies')
      await open(page)
      await page.keyboard.type('add ')
      const options = page.getByRole('option', { name: /^Add (Founder|Company)/ })
      await expect(options).toHaveText([/Add Founder/, /Add Company/])
      // Records of other journeys may stand above them.
      await expect(async () => {
        await page.keyboard.press('ArrowDown')
        await expect(selected(page)).toHaveText(/Add Company/, { timeout: 500 })
      }).toPass()
      await expect(field(page)).toHaveAttribute(
        'aria-activedescendant',
        (await selected(page).getAttribute('id')) ?? '',
      )
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/founders/add')
      await page.getByLabel('Name', { exact: true }).fill('Kept')
      await open(page)
      await page.keyboard.type('mode')
      await page.keyboard.press('Enter')
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Kept')
    })
    await test.step('opens a record of either kind with Ctrl K, its name and Enter', async () => {
      const word = own('Palette')
      const founder = await addFounder(page, { name: `Zoë ${word}` })
      const company = await addCompany(page, { name: `${word} Foods` })
      await visit(page, '/')
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
      for (const [typed, path, { id, name }] of [
        [`zoë ${word}`, 'founders', founder],
        [`${word} foods`, 'companies', company],
      ] as const) {
        const { key, type, expectActs } = walk(page)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await key('Control+k')
        await expect(field(page)).toBeFocused()
        await type(typed)
        await expect(selected(page)).toContainText(name)
        await key('Enter')
        expectActs(3)
        await expect(page).toHaveURL(`/${path}/${id}`)
        await expect(field(page)).toBeHidden()
      }
    })
    await test.step('holds every command of the page, and adds a note by keyboard alone', async () => {
      const { id } = await addFounder(page)
      await visit(page, `/founders/${id}`)
      await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'New note' })).toBeVisible()
      await open(page)
      const here = page.getByRole('group', { name: 'On this screen' }).getByRole('option')
      for (const label of ['Copy link', 'Add a note', 'Set stage', 'Pass', 'Merge with…', 'Give an opinion', 'Delete'])
        await expect(here.filter({ hasText: new RegExp(`^${label}[A-Z]?$`) })).toHaveCount(1)
      await page.keyboard.type('add a note')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('textbox', { name: 'New note' })).toBeFocused()
    })
    await test.step('returns the focus when it closes, and leaves an open dialog and its text alone', async () => {
      const { name } = await addFounder(page)
      await visit(page, `/founders?search=${name}`)
      await expect(page.getByRole('heading', { level: 1, name: 'Search Founders' })).toBeVisible()
      await page.getByRole('searchbox').focus()
      await open(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('searchbox')).toBeFocused()
      await page.getByRole('button', { name: /Add a note/ }).click()
      await expect(page.getByRole('textbox', { name: 'New note' })).toBeFocused()
      await page.keyboard.type('Half a note')
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('textbox', { name: 'New note' })).toHaveValue('Half a note')
      await expect(field(page)).toBeHidden()
    })
    await test.step('says that nothing matches and where to search, or that the records could not be searched', async () => {
      await visit(page, '/')
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
      await open(page)
      const nothing = own('nothing')
      await page.keyboard.type(nothing)
      await expect(page.getByText('No matches.')).toBeVisible()
      await expect(page.getByRole('option')).toHaveText([
        `Search founders for "${nothing}"`,
        `Search companies for "${nothing}"`,
      ])
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(`/founders?search=${nothing}`)
      await open(page)
      await page.keyboard.type(nothing)
      await failWith(page, '/founders?limit=6*', 500, { error: 'Something went wrong' })
      await page.keyboard.type('x')
      await expect(page.getByText('The records could not be searched. Try again in a moment.').first()).toBeVisible()
      expectNoComplaintsButOf(complaints, 500)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.keyboard.press('Escape')
      await expect(field(page)).toBeHidden()
    })
    await test.step('takes a line that the person has moved to, whatever is still searched or is found', async () => {
      const word = own('Addi')
      await addFounder(page, { name: word })
      // A new page, so that nothing that was found before stands above the commands.
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
      const release = await hold(page, '/*?limit=6*')
      const move = async () => {
        await open(page)
        await page.keyboard.type('add')
        await expect(selected(page)).toHaveText(/Add Founder/)
        await page.keyboard.press('ArrowDown')
      }
      await move()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/companies/add')
      await visit(page, '/')
      await move()
      release()
      await expect(page.getByRole('option', { name: word })).toBeVisible()
      await expect(selected(page)).toHaveText(/Add Company/)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/companies/add')
    })
  })

  test('waits for the records of the whole term when Enter comes first', { tag: '@slow' }, async ({
    page,
    complaints,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await join(page)
    const word = own('Early')
    const wanted = await addFounder(page, { name: `${word} one` })
    const newest = await addFounder(page, { name: `${word} two` })
    await page.goto('/')
    await open(page)
    await page.keyboard.type(word)
    await expect(selected(page)).toContainText(newest.name)
    await page.route('**/api/*?limit=6*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      await route.continue()
    })
    await page.keyboard.type(' one')
    await page.keyboard.press('Enter')
    await expectAccessible(page, ['dark'])
    await expect(page).toHaveURL(`/founders/${wanted.id}`)
    // A search that fails is no reason to run the command that happens to match.
    await page.unrouteAll({ behavior: 'wait' })
    await failWith(page, '/*?limit=6*', 500, { error: 'Something went wrong' })
    await open(page)
    await page.keyboard.type('logout')
    await page.keyboard.press('Enter')
    await expect(page.getByText('The records could not be searched. Try again in a moment.').first()).toBeVisible()
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/auth')
    expectNoComplaintsButOf(complaints, 500)
  })

  test('says that its script could not be loaded, and can be opened once it is tried again', { tag: '@slow' }, async ({
    page,
    complaints,
  }) => {
    await join(page)
    // It is loaded in idle time otherwise.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const failed = page.getByRole('alert').filter({ hasText: 'The command palette could not be loaded.' })
    await page.route('**/assets/later-*.js', (route) => route.abort('internetdisconnected'))
    await page.keyboard.press('Control+k')
    await expect(failed.getByRole('button', { name: 'Try again' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(failed).toBeHidden()
    await page.keyboard.press('Control+k')
    await expect(failed).toBeVisible()
    await page.unrouteAll()
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(failed).toBeHidden()
    // A browser that remembers the failure of a script loads the page again.
    await expect(async () => {
      if (!(await field(page).isVisible())) await page.keyboard.press('Control+k')
      await expect(field(page)).toBeFocused({ timeout: 1_000 })
    }).toPass()
    await test.step('as the dialog of notes does', async () => {
      const { name } = await addFounder(page)
      await page.goto('/my-records')
      await page.route('**/assets/notes-*.js', (route) => route.abort('internetdisconnected'))
      await page.getByRole('button', { name: `Add a note on ${name}` }).click()
      const lost = page.getByRole('alert').filter({ hasText: 'The notes could not be loaded.' })
      await expect(lost.getByRole('button', { name: 'Try again' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(lost).toBeHidden()
      await page.unrouteAll()
      await page.reload()
      await page.getByRole('button', { name: `Add a note on ${name}` }).click()
      await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
    })
    expectNoComplaintsButOf(complaints, 'ERR_INTERNET_DISCONNECTED', 'preload', 'dynamically imported module')
  })

  test('fits at every width, and passes the accessibility check', { tag: '@slow' }, async ({ page }) => {
    await join(page)
    const word = own('Wide')
    await addFounder(page, { name: `${'Wolfeschlegelsteinhausen'.repeat(4)} ${word} \u0645\u062d\u0645\u062f` })
    await page.goto('/')
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.getByRole('button', { name: 'Search or jump to…' }).click()
      await field(page).fill(word)
      await expect(page.getByRole('group', { name: 'Founders' }).getByRole('option')).toHaveCount(1)
      await expectNoSidewaysScroll(page)
      if (width !== 768) await expectAccessible(page)
      await page.keyboard.press('Escape')
    }
  })
})

test.describe('Single keys', () => {
  test('are listed by ?, work outside fields and dialogs only, and can be switched off', async ({ page }) => {
    await join(page)
    await test.step('are listed by ?, and work outside fields and dialogs only', async () => {
      await visit(page, '/founders')
      await expect(page.getByRole('heading', { level: 1, name: 'Search Founders' })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.keyboard.press('?')
      const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await expect(keys).toContainText('Next record of the list')
      await expectAccessible(page)
      await page.keyboard.press('/')
      await page.keyboard.press('Escape')
      await expect(keys).toBeHidden()
      await page.keyboard.press('/')
      await expect(page.getByRole('searchbox')).toBeFocused()
      await page.keyboard.type('/?')
      await expect(page.getByRole('searchbox')).toHaveValue('/?')
      await expect(page).toHaveURL(/search=/)
      await expect(keys).toBeHidden()
    })
    await test.step('can be switched off in the account, on this device', async () => {
      await visit(page, '/account')
      await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck()
      await visit(page, '/founders')
      await expect(page.getByRole('heading', { level: 1, name: 'Search Founders' })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.keyboard.press('/')
      await expect(page.getByRole('searchbox')).not.toBeFocused()
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog')).toBeHidden()
      await open(page)
    })
  })
})

test('The palette shows nothing of an account that has left the browser', { tag: '@slow' }, async ({ page }) => {
  await join(page)
  const { name } = await addFounder(page)
  await page.goto('/')
  await open(page)
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  // The open page would ask between the two sessions.
  await page.goto('/healthz')
  await callApi(page, 'POST', '/auth/logout')
  await join(page)
  await page.goto('/')
  await open(page)
  await expect(page.getByText('Recent records')).toBeHidden()
})
