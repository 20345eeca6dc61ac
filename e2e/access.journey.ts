import { emailField, knownAddress, passwordField } from './auth-screen.ts'
import {
  callApi,
  expect,
  expectNoComplaintsButOf,
  failWith,
  follow,
  hold,
  join,
  own,
  PASSWORD,
  SCREENS,
  test,
  toast,
  visit,
} from './product.ts'
import { addCompany, addFounder } from './records.ts'

test.describe('Access', () => {
  test('every screen redirects to /auth when signed out', async ({ page }) => {
    await page.goto('/founders')
    for (const path of [...SCREENS, '/nowhere']) {
      await follow(page, path)
      await expect(page, path).toHaveURL('/auth')
      await expect(emailField(page)).toBeVisible()
    }
  })

  test('every screen has its address and title, and is marked in the navigation; others redirect to /', {
    tag: '@slow',
  }, async ({ page, openCaller }) => {
    await join(page)
    await test.step('/auth and unknown paths redirect to / when signed in', async () => {
      await page.goto('/auth')
      await expect(page).toHaveURL('/')
      for (const path of ['/auth', '/nowhere', '/founders/x', '/companies/x']) {
        await follow(page, path)
        await expect(page).toHaveURL('/')
      }
    })
    await test.step('every screen has its address and title, and is marked in the navigation; / is marked on an exact match only', async () => {
      const marked = page.getByRole('navigation').locator('[aria-current=page]')
      const namesOf = (links: Element[]) => links.map((link) => link.getAttribute('aria-label'))
      for (const [path, title, active] of [
        ['/', 'Dashboard', ['Dashboard']],
        ['/founders', 'Search Founders', ['Search Founders']],
        ['/founders/add', 'Add Founder', ['Search Founders']],
        ['/companies', 'Search Companies', ['Search Companies']],
        ['/companies/add', 'Add Company', ['Search Companies']],
        ['/my-records', 'My Records', ['My Records']],
        ['/account', 'Account', []],
      ] as const) {
        await visit(page, path)
        await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
        await expect(page).toHaveURL(path)
        expect(await marked.evaluateAll(namesOf), path).toEqual(active)
      }
    })
    await test.step('those who may only read see no act on a record but their own *Follow*, and are sent from screens that only change something', async () => {
      const tom = await openCaller()
      await join(tom, { name: 'Tom Baker' })
      const [ada, acme] = [await addFounder(tom, { name: own('Read') }), await addCompany(tom)]
      await callApi(tom, 'PUT', `/founders/${ada.id}/companies/${acme.id}`, { role: 'CEO' })
      const tag = (await callApi(tom, 'POST', '/tags', { name: own('tag') })).body
      await callApi(tom, 'PUT', `/records/${ada.id}/tags`, { tags: [tag.id] })
      await callApi(tom, 'POST', `/notes/founder/${ada.id}`, { content: 'Met at a talk' })
      await page.route('**/api/rights', async (route) => {
        const answer = await route.fetch()
        const change = { allowed: false, why: 'You can only read here' }
        await route.fulfill({ response: answer, json: { ...(await answer.json()), change } })
      })
      await page.goto(`/founders/${ada.id}`)
      await expect(page.getByText('Met at a talk').first()).toBeVisible()
      await expect(page.getByText('No opinions yet')).toBeVisible()
      await expect(page.getByRole('list', { name: /^Tags of/ }).getByRole('listitem')).toHaveCount(1)
      await expect(page.getByText('CEO').first()).toBeVisible()
      const acts = page.getByRole('main').locator('button, input, select, textarea, [contenteditable]')
      await expect(acts.filter({ visible: true })).toHaveText([/^Follow…/, 'Copy link'])
      for (const path of ['/founders/add', '/import', '/share', '/duplicates/merge']) {
        await follow(page, path)
        await expect(page, path).toHaveURL('/')
      }
      await expect(page.getByRole('link', { name: 'Add Founder' })).toBeHidden()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
  })

  test('after sign-in the page opens the address first requested, also after a reload', async ({ page }) => {
    const email = await knownAddress(page)
    await page.goto('/founders?search=ada')
    await expect(page).toHaveURL('/auth')
    await page.reload()
    await emailField(page).fill(email)
    await page.keyboard.press('Enter')
    await passwordField(page).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Search Founders' })).toBeVisible()
    await expect(page).toHaveURL('/founders?search=ada')
  })

  test('while the current user is not known there is a full-screen spinner, and data is requested in parallel with a live session only', async ({
    page,
    complaints,
  }) => {
    await test.step('a failed check of the current user means signed out, and shows no message', async () => {
      for (const status of [500, 401]) {
        await failWith(page, '/auth/me', status, { error: 'x' })
        await page.goto('/founders')
        await expect(page).toHaveURL('/auth')
        await expect(emailField(page)).toBeVisible()
        await expect(page.getByRole('alert')).toHaveCount(0)
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      expectNoComplaintsButOf(complaints, 401, 500)
    })
    await test.step('a full-screen spinner is shown until the current user is known', async () => {
      const release = await hold(page, '/auth/me')
      await visit(page, '/founders')
      await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
      await expect(page.getByText('Loading')).toBeVisible()
      await expect(page).toHaveURL('/founders')
      release()
      await expect(page).toHaveURL('/auth')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
    await test.step('with a live session, the data of a screen is requested in parallel with the current user; without one, it is not requested', async () => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      const release = await hold(page, '/auth/me')
      await visit(page, '/founders')
      await expect.poll(() => asked).toContain('/api/auth/me')
      await page.waitForTimeout(500)
      expect(asked).not.toContain('/api/founders')
      release()
      await expect(page).toHaveURL('/auth')
      await page.unrouteAll()
      await join(page)

      const releaseAgain = await hold(page, '/auth/me')
      await visit(page, '/founders')
      await expect.poll(() => asked).toContain('/api/founders')
      await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
      releaseAgain()
      await expect(page.getByRole('heading', { name: 'Search Founders' })).toBeVisible()
    })
  })

  test('a stale anti-forgery token is replaced without an error, and a sign-out ends the session', async ({
    page,
    complaints,
  }) => {
    await join(page)
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    await page.context().clearCookies({ name: 'XSRF-TOKEN' })
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(toast(page, 'Logged out successfully')).toBeVisible()
    await expect(page).toHaveURL('/auth')
    await page.goto('/')
    await expect(page).toHaveURL('/auth')
    expectNoComplaintsButOf(complaints, 403)
  })
})
