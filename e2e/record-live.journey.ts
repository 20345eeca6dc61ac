import type { Page } from '@playwright/test'
import { callApi, expect, expectAccessible, expectNoComplaintsButOf, join, own, test, visit } from './product.ts'
import { addCompany, addFounder } from './records.ts'
import { walk } from './walk.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test.describe('The page of a record, while a colleague works on it,', () => {
  test('shows each of their acts without a reload', async ({ page, openCaller, complaints }) => {
    const grace = await openCaller()
    await join(grace, { name: 'Grace Hopper' })
    const { email } = await join(page)
    const { id, name } = await addFounder(page)
    const other = await addCompany(grace)
    const twin = await addFounder(grace, { name: `${name} again`, rating: 9 })
    await page.goto(`/founders/${id}`)
    await expect(heading(page, name)).toBeVisible()
    await expect(part(page, 'Companies')).toContainText('linked')
    let loads = 0
    page.on('load', () => {
      loads += 1
    })

    await callApi(grace, 'POST', `/records/${id}/finders`)
    await expect(part(page, 'Found by')).toContainText('Grace Hopper')
    await callApi(grace, 'POST', `/notes/founder/${id}`, { content: 'Noted by Grace' })
    await expect(page.getByText('Noted by Grace').first()).toBeVisible()
    const { version } = (await callApi(grace, 'PUT', `/founders/${id}`, { rating: 10 })).body
    await expect(part(page, 'Pipeline')).toContainText('10/10')
    await callApi(grace, 'PATCH', `/founders/${id}`, { name: `${name} corrected`, title: 'Corrected', version })
    await expect(heading(page, `${name} corrected`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Edit the title of' })).toBeVisible()
    const ids = `${id}/companies/${other.id}`
    await callApi(grace, 'PUT', `/founders/${ids}`, { role: 'CTO' })
    await expect(part(page, 'Companies').getByRole('listitem')).toContainText('CTO')
    const versions = { [id]: version + 1, [twin.id]: 1 }
    const input = { survivorId: id, duplicateId: twin.id, versions, choices: { name: 'survivor' } }
    expect((await callApi(grace, 'POST', '/records/merge', input)).status).toBe(200)
    await expect(part(page, 'Merged into this record')).toContainText(`${name} again`)
    const tag = (await callApi(page, 'POST', '/tags', { name: own('Climate') })).body
    await callApi(grace, 'PUT', `/records/${id}/tags`, { tags: [tag.id] })
    await expect(part(page, 'Tags')).toContainText(tag.name)
    const renamed = own('Energy')
    await callApi(page, 'PATCH', `/tags/${tag.id}`, { name: renamed })
    await expect(part(page, 'Tags')).toContainText(renamed)
    await callApi(page, 'DELETE', `/tags/${tag.id}`)
    await expect(part(page, 'Tags')).not.toContainText(renamed)

    await test.step('reads what the inbox says of it, while the tab is visible', async () => {
      const isHidden = (value: boolean) =>
        page.evaluate((value) => {
          Object.defineProperty(document, 'hidden', { value, configurable: true })
          document.dispatchEvent(new Event('visibilitychange'))
        }, value)
      const unread = async (record: string) => {
        const lines: { isRead: boolean; record: { id: string } }[] = (await callApi(page, 'GET', '/inbox')).body
        return lines.filter((line) => line.record.id === record && !line.isRead).length
      }
      const ask = (record: string) => callApi(grace, 'POST', `/records/${record}/opinions/ask`, { fellows: [me.id] })
      const [me] = (await callApi(page, 'GET', `/fellows?search=${encodeURIComponent(email)}`)).body
      await ask(other.id)
      await ask(id)
      await expect.poll(() => unread(id)).toBe(0)
      expect(await unread(other.id)).toBe(1)
      await isHidden(true)
      const shown = page.waitForResponse((answer) => answer.url().endsWith(`/api/companies/${other.id}`))
      await visit(page, `/companies/${other.id}`)
      await shown
      await expect(heading(page, other.name)).toBeVisible()
      await page.waitForTimeout(500)
      expect(await unread(other.id)).toBe(1)
      await isHidden(false)
      await expect.poll(() => unread(other.id)).toBe(0)
    })
    await test.step('says whether one follows or mutes it, which no one else sees', async () => {
      const follow = page.getByRole('region', { name: `About ${other.name}` }).getByTitle(/Follow|Muted/)
      const before = await follow.boundingBox()
      for (const [choice, words, state] of [
        ['Mute', 'Muted', 'mute'],
        ['Follow', 'Following', 'follow'],
        ['Automatic', 'Follow…', 'none'],
      ] as const) {
        const { pressByKey, expectActs } = walk(page)
        await pressByKey('button', /^(Follow|Muted)/, page.getByRole('region', { name: `About ${other.name}` }))
        await expect(page.getByRole('menuitemradio', { checked: true })).toHaveCount(1)
        if (choice === 'Mute') await expectAccessible(page)
        await pressByKey('menuitemradio', new RegExp(`^${choice}`))
        expectActs(2)
        await expect(follow).toContainText(words)
        await expect(follow).toBeFocused()
        expect((await callApi(page, 'GET', `/records/${other.id}/follow`)).body).toEqual({ state })
        expect((await callApi(grace, 'GET', `/records/${other.id}/follow`)).body).toEqual({ state: 'none' })
      }
      expect(await follow.boundingBox()).toEqual(before)
    })
    expect(loads).toBe(0)
    expectNoComplaintsButOf(complaints)
  })

  test('says that they deleted it, or shows the record that they merged it into', async ({
    page,
    openCaller,
    complaints,
  }) => {
    const grace = await openCaller()
    await join(grace)
    await join(page)
    const [survivor, duplicate, deleted] = [await addCompany(grace), await addCompany(page), await addCompany(grace)]
    await page.goto(`/companies/${duplicate.id}`)
    await expect(heading(page, duplicate.name)).toBeVisible()
    const versions = { [survivor.id]: 1, [duplicate.id]: 1 }
    await callApi(grace, 'POST', '/records/merge', { survivorId: survivor.id, duplicateId: duplicate.id, versions })
    await expect(page).toHaveURL(`/companies/${survivor.id}`)
    await expect(heading(page, survivor.name)).toBeVisible()
    await visit(page, `/companies/${deleted.id}`)
    await expect(heading(page, deleted.name)).toBeVisible()
    await callApi(grace, 'DELETE', `/companies/${deleted.id}`)
    await expect(heading(page, 'This record has been deleted')).toBeVisible()
    expectNoComplaintsButOf(complaints, 404)
  })
})

test('Two fellows who correct one value on two pages at once lose nothing: the second decides', {
  tag: '@slow',
}, async ({ page, browser, product, complaints }) => {
  const context = await browser.newContext({ baseURL: product.url })
  const colleague = await context.newPage()
  await join(colleague, { name: 'Grace Hopper' })
  await join(page)
  const { id, name } = await addFounder(page)
  await callApi(colleague, 'POST', `/records/${id}/finders`)
  for (const [shown, typed] of [
    [page, 'Mine'],
    [colleague, 'Theirs'],
  ] as const) {
    await shown.goto(`/founders/${id}`)
    await shown.getByRole('button', { name: `Edit the name of ${name}` }).click()
    await shown.getByRole('textbox', { name: 'Name' }).fill(typed)
  }
  await colleague.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(heading(colleague, 'Theirs')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Grace Hopper changed this')).toBeVisible()
  await expect(page.getByText('Theirs').first()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Your name' })).toHaveValue('Mine')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Mine')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect(heading(page, 'Mine')).toBeVisible()
  await expect(heading(colleague, 'Mine')).toBeVisible()
  expectNoComplaintsButOf(complaints, 409)
  await context.close()
})
