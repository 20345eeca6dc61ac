import {
  callApi,
  expect,
  expectAccessible,
  expectNoSidewaysScrollAtAnyWidth,
  freshAddress,
  join,
  own,
  signIn,
  test,
  toast,
} from './product.ts'
import { countOf, fill, ignoreNetwork, leaveWaiting, line, openForm } from './waiting.ts'

test.afterEach(({ context }) => context.setOffline(false))

test.describe('Without a network', () => {
  test('five founders wait, and are added once each after the tab was closed', async ({
    page,
    context,
    complaints,
  }) => {
    await join(page)
    const typed = await context.newPage()
    await openForm(typed)
    await context.setOffline(true)
    const word = own('Offline')
    for (const number of [1, 2, 3, 4, 5]) {
      await fill(typed, `${word}x${number}`, 'n'.repeat(number === 5 ? 10_000 : 10))
      await expect(line(typed, number === 1 ? '1 form' : `${number} forms`)).toBeVisible()
      await expect(typed.getByLabel('Name', { exact: true })).toHaveValue('')
    }
    await typed.close()
    await context.setOffline(false)
    const [one, other] = [page, await context.newPage()]
    await Promise.all([one.goto('/founders'), other.goto('/')])
    await expect.poll(() => countOf(one, word)).toBe(5)
    await expect(line(one, '')).toHaveCount(0)
    await expect(line(other, '')).toHaveCount(0)
    await expect(one.getByRole('article', { name: `${word}x5` })).toBeVisible()
    expect(await countOf(one, word)).toBe(5)
    ignoreNetwork(complaints)
  })

  test('a form waits, is edited, discarded, mended when it was refused, and added once when the network is back', {
    tag: '@slow',
  }, async ({ page, context, complaints }) => {
    await join(page)
    await test.step('a company waits too, and its toast and its list show it when the network is back', async () => {
      await openForm(page, '/companies/add')
      await context.setOffline(true)
      const name = own('Waiting')
      await fill(page, name)
      await expect(line(page, '1 form')).toBeVisible()
      await context.setOffline(false)
      await expect(toast(page, /Company added/)).toBeVisible()
      await expect(line(page, '1 form')).toHaveCount(0)
      expect(await countOf(page, name, '/companies')).toBe(1)
      ignoreNetwork(complaints)
    })
    await test.step('a waiting form can be edited and discarded, by keyboard alone, at every width', async () => {
      const [name, better] = [own('Typed'), own('Better')]
      await leaveWaiting(page, name)
      await line(page, '1 form').getByRole('link', { name: 'Show' }).press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: 'Waiting to be sent' })).toBeVisible()
      await expectNoSidewaysScrollAtAnyWidth(page)
      await page.getByRole('link', { name: `Edit ${name}` }).press('Enter')
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name)
      await page.getByLabel('Name', { exact: true }).fill(better)
      await page.getByLabel('Name', { exact: true }).press('Enter')
      await expect(page.getByText(better)).toBeVisible()
      await expect(page.getByText(name)).toHaveCount(0)
      await page.getByRole('button', { name: `Discard ${better}` }).press('Enter')
      await page.getByRole('button', { name: 'Discard', exact: true }).press('Enter')
      await expect(page.getByRole('heading', { name: 'Nothing is waiting' })).toBeVisible()
      await page.context().setOffline(false)
      expect(await countOf(page, better)).toBe(0)
      ignoreNetwork(complaints)
    })
    await test.step('a form is not sent while it is edited', async () => {
      const [name, better] = [own('Held'), own('Mended')]
      await leaveWaiting(page, name)
      await line(page, '1 form').getByRole('link', { name: 'Show' }).click()
      await page.getByRole('link', { name: `Edit ${name}` }).click()
      await page.getByLabel('Name', { exact: true }).fill(better)
      await context.setOffline(false)
      const other = await context.newPage()
      await other.goto('/')
      await expect(line(other, '1 form')).toBeVisible()
      await other.waitForLoadState('networkidle')
      expect(await countOf(page, name)).toBe(0)
      await page.getByRole('button', { name: 'Add to Network' }).click()
      await expect(toast(page, /added successfully!/).last()).toBeVisible()
      await expect(line(other, '1 form')).toHaveCount(0)
      await other.close()
      expect(await countOf(page, better)).toBe(1)
      expect(await countOf(page, name)).toBe(0)
      ignoreNetwork(complaints)
    })
    await test.step('a refused form shows its sentence, and can be mended', async () => {
      const name = own('Refused')
      await leaveWaiting(page, name)
      await page.route('**/api/founders', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 400, json: { error: 'Check the form', fields: { notes: 'Write shorter notes' } } })
          : route.continue(),
      )
      await context.setOffline(false)
      await expect(line(page, '1 form')).toContainText('1 refused')
      await page.unroute('**/api/founders')
      await line(page, '1 form').getByRole('link', { name: 'Show' }).click()
      await expect(page.getByText('Not sent: Write shorter notes')).toBeVisible()
      await page.getByRole('link', { name: `Edit ${name}` }).click()
      await expect(page.getByText('Not sent: Write shorter notes')).toBeVisible()
      await page.getByLabel('Notes').fill('Short.')
      await page.getByRole('button', { name: 'Add to Network' }).click()
      await expect(line(page, '1 form')).toHaveCount(0)
      await expect(toast(page, /added successfully!/).last()).toBeVisible()
      expect(await countOf(page, name)).toBe(1)
      ignoreNetwork(complaints)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('a form that the server has already, because only the response was lost, is added once', async () => {
      const name = own('Lost')
      await openForm(page)
      await page.route('**/api/founders', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        await route.fetch()
        await context.setOffline(true)
        await route.abort('internetdisconnected')
      })
      await fill(page, name)
      await expect(line(page, '1 form')).toBeVisible()
      await page.unroute('**/api/founders')
      await context.setOffline(false)
      await expect(line(page, '1 form')).toHaveCount(0)
      await expect(toast(page, /added successfully!/).last()).toBeVisible()
      expect(await countOf(page, name)).toBe(1)
      ignoreNetwork(complaints)
    })
  })

  test('another account on the device sees nothing of it; the same account is offered it after sign-in', {
    tag: '@slow',
  }, async ({ page, context, complaints }) => {
    const { email } = await join(page)
    const name = own('Private')
    await leaveWaiting(page, name)
    await context.clearCookies({ name: 'session' })
    await context.setOffline(false)
    await join(page, { email: freshAddress('another') })
    await page.goto('/waiting')
    await expect(page.getByRole('heading', { name: 'Nothing is waiting' })).toBeVisible()
    await expect(line(page, '1 form')).toHaveCount(0)
    expect(await countOf(page, name)).toBe(0)
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/auth')
    await signIn(page, email)
    await expect(line(page, '1 form')).toContainText('1 from an earlier sign-in')
    await page.waitForLoadState('networkidle')
    expect(await countOf(page, name)).toBe(0)
    await line(page, '1 form').getByRole('link', { name: 'Show' }).click()
    await expectNoSidewaysScrollAtAnyWidth(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: `Send ${name}` }).click()
    await expect(toast(page, /added successfully!/)).toBeVisible()
    expect(await countOf(page, name)).toBe(1)
    expect((await callApi(page, 'GET', `/founders?search=${name}`)).body[0].createdBy).toBe('Ada Lovelace')
    // The page belongs to the first account until it knows of the other one.
    ignoreNetwork(complaints, 409)
  })

  test('a sign-out asks whether to keep what waits', async ({ page, complaints }) => {
    const { email } = await join(page)
    for (const choice of ['Keep on this device', 'Discard']) {
      await page.goto('/')
      await page.evaluate(
        ([key]) =>
          localStorage.setItem(
            key,
            JSON.stringify({ kind: 'founder', key: 'k', values: { name: 'Kept' }, refusal: 'No.' }),
          ),
        [`waiting:${email}:1.1`] as const,
      )
      await page.reload()
      await page.getByRole('button', { name: 'Logout' }).click()
      await page.getByRole('button', { name: choice }).click()
      await expect(page).toHaveURL('/auth')
      const kept = () =>
        page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('waiting:')).length)
      await expect.poll(kept).toBe(choice === 'Discard' ? 0 : 1)
      if (choice !== 'Discard') await signIn(page, email)
    }
    ignoreNetwork(complaints)
  })

  test('a device without room keeps the form open and says so; damaged entries break nothing', async ({
    page,
    context,
    complaints,
  }) => {
    const { email } = await join(page)
    await page.goto('/')
    await page.evaluate(
      ([account]) => {
        for (const [id, text] of ['{', 'null', '[]', '{"kind":"founder","values":{"name":3}}'].entries())
          localStorage.setItem(`waiting:${account}:${id}`, text)
      },
      [email] as const,
    )
    await openForm(page)
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await context.setOffline(true)
    await fill(page, 'Roomless')
    await expect(toast(page, /this device could not store the form/)).toBeVisible()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Roomless')
    ignoreNetwork(complaints)
  })
})
