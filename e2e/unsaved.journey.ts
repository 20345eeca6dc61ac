import type { Page } from '@playwright/test'
import {
  callApi,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  expectNoSidewaysScroll,
  join,
  keptIn,
  PASSWORD,
  test,
} from './product.ts'
import { addCompany, addFounder, merge } from './records.ts'

/** The lines about what was not saved. */
const notSaved = (page: Page) => page.getByRole('region', { name: 'Not saved' })

/** Signs in through the screens, where a session has ended. */
const signInAgain = async (page: Page, email: string) => {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue to Platform' }).click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Access Platform' }).click()
}

const note = (page: Page) => page.getByRole('textbox', { name: 'New note' })
const nameBox = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })

/** Types a note and a correction of the name on the page of a record. */
const typeOn = async (page: Page, path: string, { id, name }: { id: string; name: string }) => {
  await page.goto(`/${path}/${id}`)
  await note(page).fill('Half a note')
  await page.getByRole('button', { name: `Edit the name of ${name}` }).click()
  await nameBox(page).fill('Half a name')
}

test('A note that was not saved when the session ended is offered after sign-in, with the name of its record', async ({
  page,
  complaints,
}) => {
  const { email } = await join(page)
  const { id, name } = await addFounder(page)
  await page.goto(`/founders?search=${name}`)
  await page.getByRole('button', { name: /Add a note/ }).click()
  await page.getByRole('textbox', { name: 'New note' }).fill('Half a note')
  await page.context().clearCookies()
  await page.getByRole('textbox', { name: 'New note' }).press('Enter')
  await expect(page.getByLabel('Email')).toBeVisible()
  await signInAgain(page, email)
  const offered = notSaved(page)
  await expect(offered).toContainText(`You were writing a note on ${name}`)
  await offered.getByRole('link', { name: `Open the note on ${name}` }).click()
  await expect(page).toHaveURL(`/founders/${id}`)
  await expect(page.getByRole('textbox', { name: 'New note' })).toHaveValue('Half a note')
  await expect(offered).toBeHidden()
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(offered).toBeVisible()
  await offered.getByRole('button', { name: 'Discard' }).click()
  await expect(offered).toBeHidden()
  expectNoComplaintsButOf(complaints, 401, 403)
})

test.describe('What was typed on a record', () => {
  test('is offered for the survivor when the record was merged meanwhile, and overwrites nothing', {
    tag: '@slow',
  }, async ({ page, complaints }) => {
    await join(page)
    const [survivor, merged] = [await addFounder(page), await addFounder(page)]
    // The version of the text is then that of the survivor after the merge, although it is another record's.
    await callApi(page, 'PUT', `/founders/${merged.id}`, { rating: 9, version: 1 })
    await typeOn(page, 'founders', merged)
    await page.goto('about:blank')
    const versions = { [survivor.id]: 1, [merged.id]: 2 }
    const { status } = await callApi(page, 'POST', '/records/merge', {
      ...{ survivorId: survivor.id, duplicateId: merged.id, versions },
    })
    expect(status).toBe(200)
    await page.goto('/')
    await expect(notSaved(page)).toContainText(
      `You were writing a note on ${merged.name}, which was merged into ${survivor.name}`,
    )
    await expect(notSaved(page)).toContainText(`Unsaved change to ${merged.name}, which was merged`)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await notSaved(page)
      .getByRole('link', { name: `Open the note on ${merged.name}` })
      .click()
    await expect(page).toHaveURL(`/founders/${survivor.id}`)
    await expect(note(page)).toHaveValue('Half a note')
    await expect(nameBox(page)).toHaveValue('Half a name')
    await expect(notSaved(page)).toBeHidden()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Nothing was saved. This is their version; yours is below.')).toBeVisible()
    expectNoComplaintsButOf(complaints, 409)
  })

  test('goes along when the record is merged while its page is open', { tag: '@slow' }, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await join(page)
    const [survivor, merged] = [await addCompany(page), await addCompany(page)]
    await typeOn(page, 'companies', survivor)
    await page.goto('about:blank')
    await typeOn(page, 'companies', merged)
    await merge(page, survivor, merged)
    await expect(page).toHaveURL(`/companies/${survivor.id}`)
    await expect(note(page)).toHaveValue('Half a note\n\nHalf a note')
    await expect(nameBox(page)).toHaveValue('Half a name')
    // The survivor has a correction of its own, so the other one is kept beside it.
    await page.reload()
    await expect(notSaved(page)).toContainText(`Unsaved change to ${merged.name}, which was merged`)
    await notSaved(page).getByText('Show the text').click()
    await expect(notSaved(page).getByText('Half a name')).toBeVisible()
  })

  test('can be read and copied when the record was deleted, until it is discarded', { tag: '@slow' }, async ({
    page,
    context,
    complaints,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await join(page)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const record = await addCompany(page)
    await typeOn(page, 'companies', record)
    await page.goto('about:blank')
    await callApi(page, 'DELETE', `/companies/${record.id}`)
    await page.goto(`/companies/${record.id}`)
    await expect(notSaved(page)).toContainText(`You were writing a note on a company. This record has been deleted`)
    // It may have been erased, so nothing on the device names it any more.
    await expect(notSaved(page)).not.toContainText(record.name)
    await expect
      .poll(() => page.evaluate(() => JSON.stringify(Object.values(sessionStorage))))
      .not.toContain(record.name)
    await expect(notSaved(page).getByRole('link')).toHaveCount(0)
    for (const [place, text] of ['Half a name', 'Half a note'].entries()) {
      await notSaved(page).getByText('Show the text').nth(place).click()
      await expect(notSaved(page).getByText(text)).toBeVisible()
      await notSaved(page).getByRole('button', { name: 'Copy' }).nth(place).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
    }
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    for (const what of ['the note on', 'the change to'])
      await notSaved(page)
        .getByRole('button', { name: `Discard ${what} the company` })
        .click()
    await expect(notSaved(page)).toBeHidden()
    expect(await keptIn(page)).toEqual([])
    expectNoComplaintsButOf(complaints, 404)
  })
})

test('A correction that was not saved when the session ended is in its form again, and offered on other screens', async ({
  page,
  complaints,
}) => {
  const { email } = await join(page)
  const { id, name } = await addFounder(page)
  await page.goto(`/founders/${id}`)
  await page.getByRole('button', { name: `Edit the name of ${name}` }).click()
  await nameBox(page).fill('Half a name')
  // Saving must be the first call that gets a 401.
  await page.waitForLoadState('networkidle')
  await page.context().clearCookies()
  await nameBox(page).press('Enter')
  await signInAgain(page, email)
  await expect(page).toHaveURL(`/founders/${id}`)
  await expect(nameBox(page)).toHaveValue('Half a name')
  await expect(notSaved(page)).toBeHidden()
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(notSaved(page)).toContainText(`Unsaved change to ${name}`)
  await notSaved(page)
    .getByRole('link', { name: `Open the change to ${name}` })
    .click()
  await expect(nameBox(page)).toHaveValue('Half a name')
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await notSaved(page).getByRole('button', { name: 'Discard' }).click()
  await expect(notSaved(page)).toBeHidden()
  await expect(page.locator('main')).toBeFocused()
  await page.goto(`/founders/${id}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  expectNoComplaintsButOf(complaints, 401, 403)
})

test('An edit in My Records is offered on other screens, also for the survivor of a merge, and can be discarded', async ({
  page,
}) => {
  await join(page)
  const [survivor, record] = [await addFounder(page), await addFounder(page)]
  const form = page.getByRole('form', { name: `Edit ${record.name}` })
  await page.goto('/my-records')
  await page.getByRole('button', { name: `Edit ${record.name}` }).click()
  await form.getByRole('textbox', { name: /notes/i }).fill('Half of the notes')
  await page.reload()
  await expect(form.getByRole('textbox', { name: /notes/i })).toHaveValue('Half of the notes')
  await expect(notSaved(page)).toBeHidden()
  await merge(page, survivor, record)
  await form.getByRole('link', { name: survivor.name }).click()
  await expect(page).toHaveURL(`/founders/${survivor.id}`)
  const onPage = page.getByRole('form', { name: `Edit ${survivor.name}` })
  await expect(onPage.getByRole('textbox', { name: /notes/i })).toHaveValue('Half of the notes')
  await page.goto('/')
  await notSaved(page)
    .getByRole('button', { name: `Discard the change to ${record.name}` })
    .click()
  expect(await keptIn(page)).toEqual([])
  await page.goto('/my-records')
  await expect(page.getByRole('button', { name: `Edit ${survivor.name}` })).toBeVisible()
})

test('An add form that was in progress when the session ended is offered after sign-in', { tag: '@slow' }, async ({
  page,
}) => {
  const { email } = await join(page)
  await page.goto('/founders/add')
  // The search for similar records must not be the first call that gets a 401.
  const searched = page.waitForResponse(/similar/)
  await nameBox(page).fill('Typed by Ada')
  await searched
  await expect.poll(() => keptIn(page)).toHaveLength(1)
  await page.context().clearCookies()
  await page.goto('/auth')
  await signInAgain(page, email)
  await expect(notSaved(page)).toContainText('You were adding Typed by Ada')
  await notSaved(page).getByRole('link', { name: 'Open' }).click()
  await expect(nameBox(page)).toHaveValue('Typed by Ada')
  await expect(notSaved(page)).toBeHidden()
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await notSaved(page).getByRole('button', { name: 'Discard the form for Typed by Ada' }).click()
  await expect(notSaved(page)).toBeHidden()
  await page.goto('/founders/add')
  await expect(nameBox(page)).toHaveValue('')
})
