import type { Page } from '@playwright/test'
import { callApi, expect, expectNoComplaintsButOf, holdLiveStream, join, own, test, toast } from './product.ts'

// Section 8 of the specification: what is said when a call fails. Each in the product's words, and in the server's when
// it gave any.

const SENTENCE = 'The cellar is under water.'

type Provoked = {
  says: string
  where: string
  call: [method: string, path: string]
  /** Goes to where the call is made, once. */
  open?: (page: Page, name: string) => Promise<unknown>
  /** Makes the call. */
  act: (page: Page, name: string) => Promise<unknown>
}

const exactly = (page: Page, sentence: string) =>
  toast(page, new RegExp(`^${sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`))

const refuse = (page: Page, [method, path]: Provoked['call'], body: object) =>
  page.route(`**/api${path}`, (route) =>
    route.request().method() === method ? route.fulfill({ status: 500, json: body }) : route.fallback(),
  )

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const noteBox = (page: Page) => page.getByRole('textbox', { name: 'New note' })

const FOUNDER = {
  noun: 'founder',
  nouns: 'founders',
  add: 'Add to Network',
  input: { linkedIn: 'https://www.linkedin.com/in/e', notes: 'Met.' },
}
const COMPANY = { noun: 'company', nouns: 'companies', add: 'Add to Portfolio', input: { notes: 'Met.' } }

const ofEachKind = [FOUNDER, COMPANY].flatMap(({ noun, nouns, add }): Provoked[] => {
  const path = `/${nouns}`
  const list = (page: Page, name: string) => page.goto(`${path}?search=${name}`)
  const openNotes = async (page: Page, name: string) => {
    await list(page, name)
    await page.getByRole('button', { name: /^View note/ }).click()
  }
  const refresh = (page: Page, name: string) => press(page, `Refresh ${name}`)
  return [
    {
      says: `Failed to fetch ${nouns}`,
      where: `Search ${nouns}`,
      call: ['GET', `${path}?*`],
      act: (page) => page.goto(path),
    },
    {
      says: 'Failed to fetch your records. Please try refreshing the page.',
      where: `My Records, ${nouns}`,
      call: ['GET', `${path}?*`],
      act: (page) => page.goto('/my-records'),
    },
    {
      says: `Failed to add ${noun}`,
      where: `Add ${noun}`,
      call: ['POST', path],
      open: async (page) => {
        await page.goto(`${path}/add`)
        await page.getByLabel('Name', { exact: true }).fill('Ada')
        if (noun === 'founder') await page.getByLabel('LinkedIn profile').fill('https://www.linkedin.com/in/ada')
        await page.getByLabel('Notes').fill('Met.')
      },
      act: (page) => press(page, add),
    },
    {
      says: 'Failed to update',
      where: `My Records, ${noun}`,
      call: ['PUT', `${path}/*`],
      open: async (page, name) => {
        await page.goto('/my-records')
        await press(page, `Edit ${name}`)
      },
      act: (page) => press(page, 'Save Changes'),
    },
    {
      says: 'Failed to delete',
      where: `My Records, ${noun}`,
      call: ['DELETE', `${path}/*`],
      open: (page) => page.goto('/my-records'),
      act: async (page, name) => {
        await press(page, `Delete ${name}`)
        await press(page, 'Delete')
      },
    },
    {
      says: 'Failed to refresh',
      where: `the dashboard, ${noun}`,
      call: ['POST', `${path}/*/refresh`],
      open: (page) => page.goto('/'),
      act: refresh,
    },
    {
      says: 'Failed to refresh data',
      where: `My Records, ${noun}`,
      call: ['POST', `${path}/*/refresh`],
      open: (page) => page.goto('/my-records'),
      act: refresh,
    },
    {
      says: `Failed to refresh ${noun} data`,
      where: `Search ${nouns}`,
      call: ['POST', `${path}/*/refresh`],
      open: list,
      act: refresh,
    },
    {
      says: 'Failed to load notes',
      where: `the notes of a ${noun}`,
      call: ['GET', `/notes/${noun}/*`],
      act: openNotes,
    },
    {
      says: 'Failed to add note',
      where: `the notes of a ${noun}`,
      call: ['POST', `/notes/${noun}/*`],
      open: async (page, name) => {
        await openNotes(page, name)
        await noteBox(page).fill('Another.')
      },
      act: async (page) => {
        await expect(noteBox(page)).toHaveValue('Another.')
        await press(page, 'Add Note')
      },
    },
    {
      says: 'Failed to delete note',
      where: `the notes of a ${noun}`,
      call: ['DELETE', `/notes/${noun}/*/*`],
      open: openNotes,
      act: async (page) => {
        await press(page, 'Delete note')
        await press(page, 'Delete')
      },
    },
  ]
})

const ofTheFrame: Provoked[] = [
  {
    says: 'Failed to fetch dashboard data',
    where: 'the dashboard',
    call: ['GET', '/dashboard'],
    act: (page) => page.goto('/'),
  },
  {
    says: 'Failed to load your account',
    where: 'the account',
    call: ['GET', '/account'],
    act: (page) => page.goto('/account'),
  },
  {
    says: 'Failed to logout',
    where: 'the top bar',
    call: ['POST', '/auth/logout'],
    open: (page) => page.goto('/founders'),
    act: (page) => press(page, 'Logout'),
  },
]

test.describe('A failed call says, and the sentence of the server replaces it', () => {
  for (const { says, where, call, open, act } of [...ofTheFrame, ...ofEachKind]) {
    test(`${says} (${where})`, async ({ page, complaints }) => {
      await join(page)
      const name = own('Failing')
      const { noun, nouns, input } = call[1].includes('compan') ? COMPANY : FOUNDER
      const { body } = await callApi(page, 'POST', `/${nouns}`, { ...input, name })
      await callApi(page, 'POST', `/notes/${noun}/${body.id}`, { content: 'A note.' })
      await open?.(page, name)
      for (const [failure, sentence] of [
        [{}, says],
        [{ error: SENTENCE }, SENTENCE],
      ] as const) {
        await refuse(page, call, failure)
        await act(page, name)
        await expect(exactly(page, sentence)).toBeVisible()
        await page.unroute(`**/api${call[1]}`)
      }
      expectNoComplaintsButOf(complaints, 500)
    })
  }
})

test.describe('Authentication fails', () => {
  for (const [path, says] of [
    ['/founders', 'Authentication required. Please log in.'],
    ['/my-records', 'Please log in to view your records'],
  ] as const) {
    test(`on a 401 at ${path} says ${says}, once, and goes to /auth`, async ({ page, complaints }) => {
      await join(page)
      await holdLiveStream(page)
      await page.goto('/companies/add')
      await expect(page.getByLabel('Name', { exact: true })).toBeVisible()
      await page.context().clearCookies({ name: 'session' })
      await page.getByRole('navigation').locator(`a[href="${path}"]`).click()
      await expect(exactly(page, says)).toHaveCount(1)
      await expect(page).toHaveURL('/auth')
      expectNoComplaintsButOf(complaints, 401)
    })
  }

  test('the 401 of the current-user check says nothing', async ({ page, complaints }) => {
    await page.route('**/api/auth/me', (route) => route.fulfill({ status: 401, json: { error: 'Not authenticated' } }))
    await page.goto('/founders')
    await expect(page).toHaveURL('/auth')
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    expectNoComplaintsButOf(complaints, 401)
  })

  test('a 401 on an auth path leaves the person there', async ({ page, complaints }) => {
    await page.goto('/auth')
    await page.route('**/api/auth/check-user', (route) => route.fulfill({ status: 401, json: {} }))
    await page.getByLabel('Email').fill('ada@mit.edu')
    await page.keyboard.press('Enter')
    await expect(exactly(page, 'Error checking email')).toBeVisible()
    await expect(page).toHaveURL('/auth')
    await expect(page.getByLabel('Email')).toHaveValue('ada@mit.edu')
    expectNoComplaintsButOf(complaints, 401)
  })
})
