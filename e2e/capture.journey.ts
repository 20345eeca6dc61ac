import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, freshAddress, join, own, PASSWORD, test, toast, visit } from './product.ts'

const nameField = (page: Page) => page.getByLabel('Name', { exact: true })
const profile = (page: Page) => page.getByLabel('LinkedIn profile')
const notes = (page: Page) => page.getByLabel('Notes')

const link = (path: string, values: Record<string, string>) => `${path}/add#${new URLSearchParams(values)}`
const ADA = { name: 'Ada Lovelace', linkedIn: 'https://www.linkedin.com/in/ada', notes: 'Met at a talk.' }

test.describe('A link to an add form', () => {
  test('fills in the form, which is offered beside typed text, as text only', { tag: '@slow' }, async ({ page }) => {
    await join(page)
    await test.step('fills in the form, leaves no trace in the address, and sends nothing before the person acts', async () => {
      const sent: string[] = []
      page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
      await page.goto(link('/founders', { ...ADA, rating: '10' }))
      await expect(nameField(page)).toHaveValue(ADA.name)
      await expect(profile(page)).toHaveValue(ADA.linkedIn)
      await expect(notes(page)).toHaveValue(ADA.notes)
      await expect(page.getByRole('radio', { name: '5 of 10' })).toBeChecked()
      await expect(page).toHaveURL('/founders/add')
      expect(sent.filter((request) => /Lovelace|in%2Fada|in\/ada/i.test(request))).toEqual([])
      const asked = page.waitForRequest(/similar/)
      await nameField(page).focus()
      await page.keyboard.press('Tab')
      await asked

      await page.reload()
      await expect(nameField(page)).toHaveValue(ADA.name)
      await page.getByRole('button', { name: 'Start over' }).click()
      await expect(nameField(page)).toHaveValue('')

      const website = 'https://tidewater.example/'
      await page.goto(link('/companies', { name: own('Tidewater'), website, notes: 'Pumps.', description: 'None.' }))
      await expect(page.getByLabel('Website')).toHaveValue(website)
      await expect(page.getByLabel('Description')).toHaveValue('')
      await page.getByRole('button', { name: 'Add to Portfolio' }).click()
      await expect(toast(page, 'Company added successfully!')).toBeVisible()
      await expect(page).toHaveURL('/companies')
      await visit(page, '/companies/add')
      await expect(page.getByLabel('Website')).toHaveValue('')
    })
    await test.step('gives what is added a tag and a next step, and offers to add another with the same tag', async () => {
      const [tag, name] = [own('Demo day'), own('Ada')]
      await callApi(page, 'POST', '/tags', { name: tag })
      const values = { name, linkedIn: `https://www.linkedin.com/in/${own('ada')}`, notes: 'Met at the event.' }
      await page.goto(link('/founders', { ...values, tag, step: 'Send the deck', on: '2031-01-02' }))
      const chips = page.getByRole('list', { name: 'After adding' })
      await expect(chips).toContainText(`Tag: ${tag}`)
      await expect(chips).toContainText('Next step: Send the deck')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Add to Network' }).click()
      const another = toast(page, 'Founder added successfully!').getByRole('button', { name: 'Add another' })
      await expect(another).toBeVisible()
      const added = async () => (await callApi(page, 'GET', `/founders?search=${name}`)).body[0]
      await expect.poll(async () => (await added()).pipeline?.nextStep).toBe('Send the deck')
      expect(await added()).toMatchObject({ tags: [{ name: tag }], pipeline: { nextOn: '2031-01-02' } })
      await another.click()
      await expect(nameField(page)).toHaveValue('')
      await expect(chips).toContainText(`Tag: ${tag}`)
      await expect(chips).not.toContainText('Next step')
      await chips.getByRole('button').click()
      await expect(chips).toHaveCount(0)
      await page.goto(link('/founders', { tag: own('No such tag') }))
      await expect(chips).toContainText('There is no tag')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect(page).toHaveURL(/\/founders$/)
    })
    await test.step('does not replace typed text, but offers its values', async () => {
      await visit(page, '/founders/add')
      await nameField(page).fill('Typed by hand')
      await notes(page).fill('Typed.')
      // The same page: only the fragment changes.
      await page.goto(link('/founders', ADA))
      const offer = page.getByRole('button', { name: 'Use them instead' })
      await expect(offer).toBeVisible()
      await expect(nameField(page)).toHaveValue('Typed by hand')
      await expectAccessible(page)
      await page.reload()
      await expect(offer).toBeVisible()
      await offer.press('Enter')
      await expect(nameField(page)).toHaveValue(ADA.name)
      await expect(notes(page)).toHaveValue(ADA.notes)
      await expect(offer).toHaveCount(0)

      // What a link filled in is no text of the person's.
      await page.goto(link('/founders', { name: 'Another' }))
      await expect(nameField(page)).toHaveValue('Another')
      await page.getByRole('button', { name: 'Start over' }).click()
      await expect(nameField(page)).toHaveValue('')
      await expect(offer).toHaveCount(0)
    })
    await test.step('is treated as text, and invalid values are refused at the fields', async () => {
      page.on('dialog', () => expect.soft('a script', 'that ran').toBe(''))
      const script = '<img src=x onerror=alert(1)>'
      await page.goto(link('/founders', { name: script.repeat(10), linkedIn: 'javascript:alert(1)', notes: script }))
      await expect(nameField(page)).toHaveValue(script.repeat(10))
      await expect(profile(page)).toHaveValue('javascript:alert(1)')
      await expect(page.getByText('Name must be at most 200 characters')).toBeVisible()
      await expect(page.getByText(/^Enter a full URL/)).toBeVisible()
      await expect(page.locator('main img')).toHaveCount(0)

      await page.goto('about:blank')
      await visit(page, '/founders/add#name=%E0%A4%A&name=100%&linkedIn=%00&notes=a%0Ab%00')
      await expect(nameField(page)).toHaveValue(/\ufffd/)
      await expect(profile(page)).toHaveValue('\ufffd')
      await expect(notes(page)).toHaveValue('a\nb\ufffd')
      await expect(page).toHaveURL('/founders/add')
    })
  })

  test('leads through sign-in, with its values, to an add form or to the page of a record', {
    tag: '@slow',
  }, async ({ page, complaints }) => {
    const { email } = await join(page)
    const signIn = async () => {
      await page.getByLabel('Email').fill(email)
      await page.keyboard.press('Enter')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
    }
    const added = async (name: string) => {
      const values = { name: own(name), linkedIn: `https://www.linkedin.com/in/${own(name)}`, notes: 'Met.' }
      return (await callApi(page, 'POST', '/founders', values)).body
    }
    const proposal = (id: string, values: Record<string, string>) => `/founders/${id}#${new URLSearchParams(values)}`
    /** From another page, as a link in a chat would. */
    const open = async (address: string) => {
      await page.goto('about:blank')
      await page.goto(address)
    }
    const hint = page.getByText('Filled in by a link.')
    const note = page.getByLabel('New note')
    const proposed = page.getByRole('region', { name: 'Filled in by a link' })

    await test.step('fills in the forms of a record, with the focus in none, and sends nothing', async () => {
      const [ada, tag] = [await added('ada'), own('Demo day')]
      await callApi(page, 'POST', '/tags', { name: tag })
      const changes: string[] = []
      page.on('request', (request) => request.method() !== 'GET' && changes.push(request.url()))
      await page.context().clearCookies()
      const text = 'Spoke again. <b>Raising</b> \u202e2m'
      await open(
        proposal(ada.id, { note: text, title: 'CTO', stage: 'met', tag, step: 'Send the deck', on: '2031-01-02' }),
      )
      await expect(page).toHaveURL('/auth')
      await signIn()
      await expect(page).toHaveURL(`/founders/${ada.id}`)
      await expect(note).toHaveValue('Spoke again. <b>Raising</b> \ufffd2m')
      await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('CTO')
      await expect(proposed).toContainText('Set stage to Met?')
      await expect(proposed).toContainText(`Add the tag ${tag}?`)
      await expect(proposed).toContainText(/Set next step to “Send the deck · .*2031”\?/)
      await expect(hint).toHaveCount(3)
      expect(
        await page.evaluate(() => document.activeElement?.closest('form, textarea, [aria-label^=Filled]')),
      ).toBeNull()
      for (const width of [390, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await expectAccessible(page)
      }
      changes.length = 0
      await page.keyboard.press('Enter')
      await note.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'Title' }).focus()
      await page.keyboard.press('Enter')
      await expect(note).toHaveValue('Spoke again. <b>Raising</b> \ufffd2m')
      expect(changes.filter((url) => !/inbox/.test(url))).toEqual([])
    })
    await test.step('is no draft before the person changes it, and then keeps its line', async () => {
      const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => /^draft:.*notes/.test(key)))
      expect(await drafts()).toEqual([])
      await page.reload()
      await expect(note).toHaveValue(/^Spoke again/)
      await note.fill('Spoke again.')
      expect(await drafts()).toHaveLength(1)
      await page.reload()
      await expect(note).toHaveValue('Spoke again.')
      await expect(hint).toHaveCount(3)
      await note.press('End')
      await note.pressSequentially(' Twice.')
      await note.press('Enter')
      await expect(toast(page, 'Note added successfully')).toBeVisible()
      await expect(hint).toHaveCount(2)
    })
    await test.step('changes the record by the button of each form', async () => {
      await proposed.getByRole('button', { name: 'Set stage' }).click()
      await expect(page.getByRole('button', { name: 'Stage: Met' })).toBeVisible()
      await proposed.getByRole('button', { name: 'Add tag' }).click()
      await expect(proposed).not.toContainText('Add the tag')
      await proposed.getByRole('button', { name: 'Not now' }).click()
      await expect(proposed).toHaveCount(0)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(toast(page, 'Founder updated successfully')).toBeVisible()
      await expect(hint).toHaveCount(0)
      await page.reload()
      await expect(page.getByRole('button', { name: 'Stage: Met' })).toBeVisible()
      await expect(hint).toHaveCount(0)
    })
    await test.step('says what cannot be done, follows a merge, and opens no deleted record', async () => {
      const [kept, other] = [await added('kept'), await added('other')]
      await open(proposal(kept.id, { stage: 'Nowhere', tag: 'No such tag' }))
      await expect(proposed).toContainText('There is no stage “Nowhere”.')
      await expect(proposed).toContainText('There is no tag “No such tag”.')
      const versions = { [kept.id]: kept.version, [other.id]: other.version }
      const merge = { survivorId: kept.id, duplicateId: other.id, versions }
      expect((await callApi(page, 'POST', '/records/merge', merge)).status).toBe(200)
      await open(proposal(other.id, { note: 'About the other one' }))
      await expect(page).toHaveURL(`/founders/${kept.id}`)
      await expect(note).toHaveValue('About the other one')
      await callApi(page, 'DELETE', `/founders/${kept.id}`)
      await open(proposal(kept.id, { note: 'Too late' }))
      await expect(page.getByText('This record has been deleted')).toBeVisible()
      await page.waitForLoadState('networkidle')
      complaints.length = 0
    })
    await test.step('leads through up to 20 proposals, each in its own form, with their number', async () => {
      const [one, two] = [await added('one'), await added('two')]
      const addresses = [
        proposal(one.id, { note: 'First' }),
        link('/founders', { name: 'Eve', linkedIn: 'https://www.linkedin.com/in/eve' }),
        link('/founders', { name: 'Fay', linkedIn: 'https://www.linkedin.com/in/fay' }),
        'https://evil.example/founders/add#name=Ada',
        proposal(two.id, { step: 'Call' }),
      ]
      await open(`/proposals#${new URLSearchParams(addresses.map((address) => ['to', address]))}`)
      await expect(page).toHaveURL('/proposals')
      await expect(page.getByText('One address leads to no form here, and was left out.')).toBeVisible()
      await expect(page.getByRole('listitem').filter({ hasText: one.name })).toContainText('Note: First')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Open proposal 1' }).click()
      await expect(note).toHaveValue('First')
      const bar = page.getByRole('navigation', { name: 'Proposals' })
      await expect(bar).toContainText('1 of 4')
      await bar.getByRole('button', { name: 'Next' }).click()
      await expect(nameField(page)).toHaveValue('Eve')
      await expect(nameField(page)).not.toBeFocused()
      await bar.getByRole('button', { name: 'Next' }).click()
      await expect(nameField(page)).toHaveValue('Fay')
      await bar.getByRole('button', { name: 'Next' }).click()
      await expect(proposed).toContainText('Set next step to “Call”?')
      await expect(bar.getByRole('button', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true')
      await bar.getByRole('link', { name: 'Proposals' }).click()
      await page.getByRole('button', { name: 'Set all aside' }).click()
      await expect(page.getByText('No proposals')).toBeVisible()
      await page.evaluate(() => sessionStorage.clear())
    })

    await page.context().clearCookies()
    await open(link('/founders', ADA))
    await expect(page).toHaveURL('/auth')
    await page.reload()
    await signIn()
    await expect(page).toHaveURL('/founders/add')
    await expect(nameField(page)).toHaveValue(ADA.name)

    // The values belong to this account now, and go at its sign-out: they are no text of its own to keep.
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/auth')
    await join(page, { email: freshAddress('another') })
    await page.goto('/founders/add')
    await expect(nameField(page)).toHaveValue('')
  })
})

test.describe('The bookmarks on the account page', () => {
  test('can be dragged, copied and run on another page; a click explains that', async ({ page }) => {
    await join(page)
    await test.step('can be dragged and copied; a click explains that', async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])

      await visit(page, '/account')
      const bookmark = page.getByRole('link', { name: 'Add Founder to Sourcebook' })
      await bookmark.click()
      await expect(toast(page, 'Drag this button to your bookmarks bar')).toBeVisible()
      const dragged = page.evaluate(
        () =>
          new Promise<string>((resolve) =>
            document.addEventListener('dragstart', ({ dataTransfer }) =>
              setTimeout(resolve, 0, dataTransfer?.getData('text/uri-list')),
            ),
          ),
      )
      const box = await bookmark.boundingBox()
      if (!box) throw new Error('The bookmark is not shown')
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width / 2, box.y + box.height * 3, { steps: 5 })
      const code = await bookmark.getAttribute('href')
      expect(code).toMatch(/^javascript:/)
      expect(await dragged).toBe(code)
      await page.mouse.up()
      await page.getByRole('button', { name: 'Copy code' }).first().click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
    })
    await test.step("run on another page, and open the form with the page's title, address and selected text", async () => {
      await visit(page, '/account')
      const code = await page.getByRole('link', { name: 'Add Company to Sourcebook' }).getAttribute('href')
      const other = await page.context().newPage()
      await other.route('https://tidewater.example/', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>Tidewater</title><p>Pumps and pipes.' }),
      )
      await other.goto('https://tidewater.example/')
      await other.locator('p').selectText()
      const opening = page.context().waitForEvent('page')
      await other.evaluate(decodeURIComponent(code?.slice('javascript:'.length) ?? ''))
      const form = await opening
      await expect(nameField(form)).toHaveValue('Tidewater')
      await expect(form.getByLabel('Website')).toHaveValue('https://tidewater.example/')
      await expect(notes(form)).toHaveValue('Pumps and pipes.')
      await expect(form).toHaveURL('/companies/add')
    })
  })
})

test('A share from another app can open either form', async ({ page }) => {
  await join(page)
  const manifest = await (await page.request.get('/manifest.webmanifest')).json()
  const { action, params } = manifest.share_target
  const shared = { [params.title]: 'Ada Lovelace', [params.text]: `Met her. ${ADA.linkedIn}` }
  await page.goto(`${action}?${new URLSearchParams(shared)}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add what you shared')
  await page.getByRole('button', { name: 'Add as a founder' }).click()
  await expect(page).toHaveURL('/founders/add')
  await expect(nameField(page)).toHaveValue('Ada Lovelace')
  await expect(profile(page)).toHaveValue(ADA.linkedIn)
  await expect(notes(page)).toHaveValue('Met her.')
})
