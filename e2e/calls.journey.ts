import type { Page, Request } from '@playwright/test'
import { callApi, expect, freshAddress, join, own, PASSWORD, signIn, signUp, test, toast, visit } from './product.ts'

// Section 7 of the specification: the calls that the page makes.

const LINKED_IN = 'https://www.linkedin.com/in/c'

/** The call that `act` makes, after it has succeeded. */
const callOf = async (page: Page, method: string, path: RegExp, act: () => Promise<unknown>): Promise<Request> => {
  const isIt = (request: Request) => request.method() === method && path.test(new URL(request.url()).pathname)
  const [answer] = await Promise.all([page.waitForResponse((answer) => isIt(answer.request())), act()])
  expect(answer.ok()).toBe(true)
  return answer.request()
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

test.describe('Every call', () => {
  test('goes to one API base, with credentials; what changes something is JSON and carries X-XSRF-TOKEN', async ({
    page,
    product,
  }) => {
    const calls: Request[] = []
    page.on('request', (request) => {
      if (['fetch', 'xhr', 'eventsource'].includes(request.resourceType())) calls.push(request)
    })
    await signUp(page)
    await page.goto('/founders/add')
    await page.getByLabel('Name', { exact: true }).fill(own('Called'))
    await page.getByLabel('LinkedIn profile').fill(LINKED_IN)
    await page.getByLabel('Notes').fill('Met.')
    await press(page, 'Add to Network')
    await expect(toast(page, 'Founder added successfully!')).toBeVisible()

    for (const call of calls) expect(call.url().startsWith(`${product.url}/api/`), call.url()).toBe(true)
    const changes = calls.filter((call) => call.method() !== 'GET')
    expect(changes.length).toBeGreaterThanOrEqual(3)
    for (const change of changes) {
      const { cookie = '', ...headers } = await change.allHeaders()
      const token = /XSRF-TOKEN=([^;]+)/.exec(cookie)?.[1]
      expect(token).toBeDefined()
      expect(headers['x-xsrf-token']).toBe(decodeURIComponent(token as string))
      expect(headers['content-type']).toBe('application/json')
    }
  })
})

test.describe('Auth', () => {
  test('POST /auth/check-user, POST /auth/smart-auth, GET /auth/me on start, POST /auth/logout', async ({ page }) => {
    const email = freshAddress()
    await test.step('POST /auth/check-user with email, then POST /auth/smart-auth with email, password and name', async () => {
      await page.goto('/auth')
      await page.getByLabel('Email').fill(email)
      const check = await callOf(page, 'POST', /\/auth\/check-user$/, () => press(page, 'Continue to Platform'))
      expect(check.postDataJSON()).toEqual({ email })
      await page.getByLabel('Full Name').fill('Ada')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      const enter = await callOf(page, 'POST', /\/auth\/smart-auth$/, () => press(page, 'Join Venture Fellows'))
      expect(enter.postDataJSON()).toEqual({ email, password: PASSWORD, name: 'Ada' })
    })
    await test.step('GET /auth/me on start, POST /auth/logout without a payload', async () => {
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
      await callOf(page, 'GET', /\/auth\/me$/, () => page.goto(`/founders?search=${own('missing')}`))
      await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
      const logout = await callOf(page, 'POST', /\/auth\/logout$/, () => press(page, 'Logout'))
      expect(logout.postData()).toBeNull()
      await signIn(page, email)
    })
  })
})

for (const { nouns, noun, add, input, more } of [
  {
    nouns: 'founders',
    noun: 'founder',
    add: 'Add to Network',
    input: { name: 'Ada', linkedIn: LINKED_IN, notes: 'Met.' },
    more: [['LinkedIn profile', LINKED_IN]],
  },
  {
    nouns: 'companies',
    noun: 'company',
    add: 'Add to Portfolio',
    input: { name: 'Ada', website: 'https://ada.example', description: 'Engines.', notes: 'Met.' },
    more: [
      ['Website (optional)', 'https://ada.example'],
      ['Description (optional)', 'Engines.'],
    ],
  },
] as const) {
  const one = `/api/${nouns}/[^/]+`
  const make = async (page: Page) => {
    const name = own('Called')
    const { body } = await callApi(page, 'POST', `/${nouns}`, { ...input, name })
    return { id: body.id as string, name }
  }

  test.describe(nouns, () => {
    test(`makes the calls of section 7 for ${nouns}`, { tag: '@slow' }, async ({ page }) => {
      await join(page)
      await test.step(`GET /${nouns} with search, POST /${nouns} with ${Object.keys(input).join(', ')} and rating`, async () => {
        await visit(page, `/${nouns}`)
        const asked = page.waitForRequest((request) => /search=/.test(new URL(request.url()).search))
        await page.getByRole('searchbox').fill('100% of it')
        expect(new URL((await asked).url()).searchParams.get('search')).toBe('100% of it')
        await visit(page, `/${nouns}/add`)
        await page.getByLabel('Name', { exact: true }).fill('Ada')
        for (const [label, text] of more) await page.getByLabel(label).fill(text)
        await page.getByLabel('Notes').fill('Met.')
        await page.getByRole('radio', { name: '9 of 10' }).check({ force: true })
        const call = await callOf(page, 'POST', new RegExp(`/api/${nouns}$`), () => press(page, add))
        expect(call.postDataJSON()).toEqual({ ...input, rating: 9 })
      })
      await test.step(`PUT /${nouns}/{id} with notes and rating, DELETE /${nouns}/{id}; My Records calls GET /notes/my-notes`, async () => {
        const { id, name } = await make(page)
        await callOf(page, 'GET', /\/notes\/my-notes$/, () => visit(page, '/my-records'))
        await press(page, `Edit ${name}`)
        await page.getByRole('textbox', { name: 'Notes' }).fill('Met twice.')
        const put = await callOf(page, 'PUT', new RegExp(`${one}$`), () => press(page, 'Save Changes'))
        expect(put.postDataJSON()).toEqual({ notes: 'Met twice.', rating: 5, version: 1 })
        await press(page, `Delete ${name}`)
        const call = await callOf(page, 'DELETE', new RegExp(`${one}$`), () => press(page, 'Delete'))
        expect(new URL(call.url()).pathname).toBe(`/api/${nouns}/${id}`)
      })
      await test.step(`POST /${nouns}/{id}/refresh, GET and POST /notes/${noun}/{id}, DELETE /notes/${noun}/{id}/{noteId}`, async () => {
        const { id, name } = await make(page)
        await visit(page, `/${nouns}?search=${name}`)
        const refresh = await callOf(page, 'POST', /\/refresh$/, () => press(page, `Refresh ${name}`))
        expect(new URL(refresh.url()).pathname).toBe(`/api/${nouns}/${id}/refresh`)
        const notes = new RegExp(`/api/notes/${noun}/${id}$`)
        await callOf(page, 'GET', notes, () => page.getByRole('button', { name: /^Add a note/ }).click())
        await page.getByRole('textbox', { name: 'New note' }).fill('  Spoke again. ')
        const add = await callOf(page, 'POST', notes, () => press(page, 'Add Note'))
        expect(add.postDataJSON()).toEqual({ content: 'Spoke again.' })
        await press(page, 'Delete note')
        await callOf(page, 'DELETE', new RegExp(`/api/notes/${noun}/${id}/[^/]+$`), () => press(page, 'Delete'))
      })
    })
  })
}
