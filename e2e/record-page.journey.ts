import type { Page } from '@playwright/test'
import { part, setPipeline, stageNamed } from './pipeline.ts'
import {
  callApi,
  DESKTOP,
  expect,
  expectAccessible,
  expectNoComplaintsButOf,
  join,
  own,
  test,
  toast,
  visit,
} from './product.ts'
import { addCompany, addFounder, card, merge } from './records.ts'
import { walk } from './walk.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const saved = (page: Page) => toast(page, /updated successfully/)

/** The words that a pencil covers, and the edge of its card if it stands there. */
const wrongPlaceOf = (pencil: Element) => {
  const { left, right, top, bottom } = pencil.getBoundingClientRect()
  const card = pencil.closest('section') as Element
  const { paddingLeft, paddingRight } = getComputedStyle(card)
  const edge = card.getBoundingClientRect()
  const wrong: string[] = []
  const isInside =
    left >= edge.left + Number.parseFloat(paddingLeft) && right <= edge.right - Number.parseFloat(paddingRight) + 0.5
  if (!isInside) wrong.push('the edge of the card')
  const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.parentElement?.closest('.visually-hidden, button')) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    const parent = text.parentElement as Element
    // Of an address that is cut, what is shown.
    const end = getComputedStyle(parent).overflow === 'hidden' ? parent.getBoundingClientRect().right : Infinity
    for (const box of range.getClientRects()) {
      const isBeside = box.left > right - 1 || Math.min(box.right, end) < left + 1
      if (!isBeside && box.top < bottom - 3 && box.bottom > top + 3) wrong.push(String(text.textContent))
    }
  }
  return wrong
}

test('The page of a founder opens from its card, answers in one look at its head, and of two corrections at the same time the second decides', async ({
  page,
  complaints,
}) => {
  await join(page)
  await test.step('opens from its card, has the name as its title, and Back returns to the place', async () => {
    const word = own('Shown')
    await addFounder(page, { name: `${word} one` })
    await addFounder(page, { name: `${word} two` })
    await visit(page, `/founders?search=${word}`)
    await card(page, `${word} one`)
      .getByRole('link', { name: `${word} one` })
      .click()
    await expect(heading(page, `${word} one`)).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(`${word} one`))
    await page.keyboard.press('k')
    await expect(heading(page, `${word} two`)).toBeVisible()
    await page.keyboard.press('j')
    await expect(heading(page, `${word} one`)).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(new RegExp(`search=${word}$`))
    await expect(card(page, `${word} two`)).toBeVisible()
  })
  await test.step('has the focus, and Back from it gives the focus to the link again', async () => {
    const { name } = await addFounder(page)
    await visit(page, `/founders?search=${name}`)
    const link = page.getByRole('link', { name, exact: true })
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(heading(page, name)).toBeVisible()
    await expect(page.locator('main')).toBeFocused()
    await page.goBack()
    await expect(link).toBeFocused()
  })
  await test.step('shows the second of two corrections at the same time the conflict, and keeps what was typed', async () => {
    const { id, name, version } = await addFounder(page)
    await visit(page, `/founders/${id}`)
    await page.getByRole('button', { name: `Edit the name of ${name}` }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
    const other = { name: `${name} theirs`, version }
    expect((await callApi(page, 'PATCH', `/founders/${id}`, other)).status).toBe(200)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText(`${name} theirs`).first()).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Your name' })).toHaveValue('Mine')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await expect(heading(page, 'Mine')).toBeVisible()
    expectNoComplaintsButOf(complaints, 409)
  })
  await test.step('She changed her title: in five acts and right at the first try, and her role at the company follows', async () => {
    const { id, name, version } = await addFounder(page)
    const company = await addCompany(page)
    await callApi(page, 'PATCH', `/founders/${id}`, { title: 'CEO', version })
    await callApi(page, 'PUT', `/founders/${id}/companies/${company.id}`, { role: 'CEO' })
    await visit(page, `/founders?search=${name}`)
    const { press, key, fill, expectActs } = walk(page)
    await press('link', name)
    await expect(heading(page, name)).toBeVisible()
    await key('e')
    await fill('Title', 'Head of Research')
    await key('Enter')
    expectActs(5)
    // That of an earlier correction may still be there.
    await expect(saved(page).last()).toBeVisible()
    await expect(page.getByRole('list', { name: `Facts about ${name}` })).toContainText('Head of Research')
    await page.getByRole('button', { name: `Use as role at ${company.name}` }).press('Enter')
    await expect(page.getByRole('button', { name: `Edit role of ${company.name}` })).toBeFocused()
    await expect(part(page, 'Companies').getByRole('listitem')).toContainText('Head of Research')
    await expect(page.getByText('The title is now')).toBeHidden()
  })
  await test.step('gives its link in two acts from the list, and takes a note there in three', async () => {
    const { id, name } = await addFounder(page)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit(page, `/founders?search=${name}`)
    const link = walk(page)
    await link.press('link', name)
    await link.press('button', /^Copy link/)
    link.expectActs(2)
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await expect.poll(copied).toBe(new URL(`/founders/${id}`, page.url()).href)
    await visit(page, `/founders?search=${name}`)
    const note = walk(page)
    await note.press('button', /^Add a note/)
    await note.fill('New note', 'Back from London')
    await note.key('Enter')
    note.expectActs(3)
    await expect(toast(page, 'Note added successfully')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('opens all fields as one form with E, which says a fault at its field and a conflict, and loses nothing', async () => {
    const { id, name, version } = await addFounder(page)
    await callApi(page, 'PATCH', `/founders/${id}`, { title: 'CEO', company: 'Acme', version })
    await visit(page, `/founders/${id}`)
    await expect(page.getByRole('list', { name: /^Facts about/ })).toContainText('Acme')
    await page.keyboard.press('e')
    const form = page.getByRole('dialog', { name: `Edit ${name}` })
    await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await expect(form.getByRole('textbox')).toHaveCount(6)
    await expectAccessible(page)
    await form.getByRole('textbox', { name: 'LinkedIn profile' }).fill('nothing like it')
    await form.getByRole('textbox', { name: 'Title' }).fill('CTO')
    await form.getByRole('textbox', { name: 'Bio' }).fill('Two lines.')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(form.getByText('Enter a full URL')).toBeVisible()
    await expect(form.getByRole('textbox', { name: 'LinkedIn profile' })).toBeFocused()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.reload()
    await expect(form.getByText('We restored your draft.')).toBeVisible()
    await expect(form.getByRole('textbox', { name: 'Title' })).toHaveValue('CTO')
    await form.getByRole('textbox', { name: 'LinkedIn profile' }).fill('https://www.linkedin.com/in/ada-lovelace')
    const { body } = await callApi(page, 'GET', `/founders/${id}`)
    await callApi(page, 'PATCH', `/founders/${id}`, { title: 'COO', company: 'Acme Labs', version: body.version })
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(form.getByRole('alert')).toContainText('title: COO')
    await expect(form.getByRole('textbox', { name: 'Company' })).toHaveValue('Acme Labs')
    await expect(form.getByRole('textbox', { name: 'Your title' })).toHaveValue('CTO')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Take theirs' }).click()
    await expect(form.getByRole('textbox', { name: 'Title' })).toHaveValue('COO')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(form).toBeHidden()
    await expect(page.getByRole('region', { name: /^About/ }).getByText('Two lines.')).toBeVisible()
    const { body: after } = await callApi(page, 'GET', `/founders/${id}`)
    expect(JSON.parse(after.additionalInfo)).toMatchObject({ current_title: 'COO', current_company: 'Acme Labs' })
    expectNoComplaintsButOf(complaints, 400, 409)
  })
  await test.step('marks a value on hover and focus, and keeps room for the pencil behind it', async () => {
    const { id, version } = await addFounder(page)
    const name = `${own('Wolfeschlegelsteinhausenbergerdorff')} ${'of the Company '.repeat(5)}`.trim()
    const title = 'Chief of everything that has to do with '.repeat(2).trim()
    const values = { name, title, company: 'Acme', email: 'ada@example.com', bio: 'One line. '.repeat(40).trim() }
    await callApi(page, 'PATCH', `/founders/${id}`, { ...values, version })
    await visit(page, `/founders/${id}`)
    const pencils = part(page, `About ${name}`).getByRole('button', { name: /^Edit the/ })
    await expect(pencils).toHaveCount(6)
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      // The page measures its width after the window has changed.
      for (const pencil of await pencils.all()) await expect.poll(() => pencil.evaluate(wrongPlaceOf)).toEqual([])
    }
    await page.setViewportSize(DESKTOP)
    const value = page.getByRole('list', { name: /^Facts about/ }).getByText('Acme', { exact: true })
    const marks = () => value.evaluate((one) => getComputedStyle(one.closest('span') ?? one).textDecorationLine)
    expect(await marks()).toBe('none')
    await value.hover()
    await expect.poll(marks).toBe('underline')
    await heading(page, name).hover()
    await expect.poll(marks).toBe('none')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: /^Edit the company of/ }).focus()
    await expect.poll(marks).toBe('underline')
  })
  await test.step('answers in one look at its head, on a phone before the notes', async () => {
    const word = own('Head')
    await addFounder(page, { name: `${word} one` })
    const { id, name } = await addFounder(page, { name: `${word} two`, rating: 8 })
    await addFounder(page, { name: `${word} three` })
    await setPipeline(page, id, { stage: await stageNamed(page, 'Met'), nextStep: 'Call her', nextOn: '2099-01-01' })
    await Promise.all(
      Array.from({ length: 50 }, (_, note) =>
        callApi(page, 'POST', `/notes/founder/${id}`, { content: `Note ${note}` }),
      ),
    )
    const head = part(page, `About ${name}`)
    const notes = part(page, 'Notes')
    await test.step('leads back to the list one came from, and says which of its records it is', async () => {
      await visit(page, `/founders?search=${word}`)
      await page.getByRole('link', { name, exact: true }).click()
      await expect(heading(page, name)).toBeVisible()
      await expect(page.getByRole('navigation', { name: 'Other founders of the list' })).toContainText('2 of 3')
      for (const words of ['8/10', 'Met', 'Call her']) await expect(head).toContainText(words)
      await expect(head.getByRole('button', { name: 'Copy link' })).toBeVisible()
      await page.keyboard.press('j')
      await expect(heading(page, `${word} one`)).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: 'Search Founders' }).press('Enter')
      await expect(page).toHaveURL(new RegExp(`search=${word}$`))
    })
    await test.step('has rating and stage above 400 px at 390 × 844 with 50 notes, of which three are shown', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await visit(page, `/founders/${id}`)
      await expect(heading(page, name)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Show all 50 notes' })).toBeVisible()
      await expect(notes.getByText(/^Note \d+$/)).toHaveCount(3)
      for (const value of [head.getByText('8/10'), head.getByRole('button', { name: 'Stage: Met' })]) {
        const box = await value.boundingBox()
        expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThan(400)
      }
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Show all 50 notes' }).press('Enter')
      await expect.poll(() => notes.getByText(/^Note \d+$/).count()).toBeGreaterThan(3)
    })
    await test.step('has all other acts in a menu', async () => {
      await page.getByRole('button', { name: `More for ${name}` }).press('Enter')
      await expect(page.getByRole('menuitem')).toHaveText(['Edit all fields…', 'Refresh', 'Merge with…', 'Delete'])
      await expectAccessible(page)
      await page.getByRole('menuitem', { name: 'Merge with…' }).press('Enter')
      await expect(page.getByRole('searchbox', { name: /^Merge with which/ })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: `More for ${name}` })).toBeFocused()
    })
  })
})

test('The page of a company is corrected in place, follows changes, and says what was deleted and where a merged one went', {
  tag: '@slow',
}, async ({ page, complaints }) => {
  await join(page)
  await test.step('corrects a value in place by keyboard alone, and History puts the old one back', async () => {
    const { id, name } = await addCompany(page)
    await visit(page, `/companies/${id}`)
    await expect(heading(page, name)).toBeVisible()
    await page.getByRole('button', { name: `Edit the name of ${name}` }).press('Enter')
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(`${name} corrected`)
    await page.keyboard.press('Enter')
    await expect(saved(page)).toBeVisible()
    await expect(heading(page, `${name} corrected`)).toBeVisible()
    const { body } = await callApi(page, 'GET', `/companies?search=${name} corrected`)
    expect(body).toHaveLength(1)
    await page.getByRole('button', { name: 'Add an industry' }).click()
    await page.keyboard.type('Aviation')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Edit the industry of' })).toBeVisible()
    await page.getByRole('button', { name: 'Edit the industry of' }).press('Enter')
    await page.keyboard.type('not saved')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await expect(page.getByRole('list', { name: /^Facts about/ })).toContainText('Aviation')
    await page
      .getByRole('button', { name: /^Put back/ })
      .last()
      .click()
    await expect(heading(page, name)).toBeVisible()
  })
  await test.step('follows changes of others live, and shows what was deleted and where a merged one went', async () => {
    const [first, second] = [await addCompany(page), await addCompany(page)]
    await visit(page, `/companies/${second.id}`)
    await expect(heading(page, second.name)).toBeVisible()
    await callApi(page, 'POST', `/notes/company/${second.id}`, { content: 'Noted elsewhere' })
    await expect(page.getByText('Noted elsewhere').first()).toBeVisible()
    await merge(page, first, second)
    await visit(page, `/companies/${second.id}`)
    await expect(page).toHaveURL(`/companies/${first.id}`)
    await expect(heading(page, first.name)).toBeVisible()
    const gone = await addCompany(page)
    await callApi(page, 'DELETE', `/companies/${gone.id}`)
    await visit(page, `/companies/${gone.id}`)
    await expect(heading(page, 'This record has been deleted')).toBeVisible()
    await visit(page, `/companies/nothing`)
    await expect(page).toHaveURL('/')
    expectNoComplaintsButOf(complaints, 404)
  })
})
