import type { Page } from '@playwright/test'
import { callApi, expect, expectNoComplaintsButOf, holdLiveStream, join, own, test, toast } from './product.ts'

// Section 8 of the specification: the messages of failed calls. Each call shows the product's message, or the server's
// when the response has one.

type Provoked = {
  says: string
  call: [method: string, path: string]
  /** Makes the call. */
  act: () => Promise<unknown>
}

const exactly = (page: Page, sentence: string) =>
  toast(page, new RegExp(`^${sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`))

/** Each call fails twice: without a message of the server, and with one. */
async function expectToSay(page: Page, provoked: Provoked[]) {
  for (const { says, call, act } of provoked) {
    const [method, path] = call
    const serverSays = `The cellar is under water: ${says}.`
    for (const [body, sentence] of [
      [{}, says],
      [{ error: serverSays }, serverSays],
    ] as const) {
      await page.route(`**/api${path}`, (route) =>
        route.request().method() === method ? route.fulfill({ status: 500, json: body }) : route.fallback(),
      )
      await act()
      const said = exactly(page, sentence).first()
      await said.getByRole('button', { name: 'Close' }).click()
      await expect(said).toHaveCount(0)
      await page.unroute(`**/api${path}`)
    }
  }
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

/** A record with a note, created by the signed-in fellow. */
const make = async (page: Page, nouns: string, noun: string) => {
  await join(page)
  const name = own('Failing')
  const linkedIn = nouns === 'founders' && { linkedIn: 'https://www.linkedin.com/in/e' }
  const { body } = await callApi(page, 'POST', `/${nouns}`, { name, notes: 'Met.', ...linkedIn })
  await callApi(page, 'POST', `/notes/${noun}/${body.id}`, { content: 'A note.' })
  return name
}

test.describe("A failed call shows its message, which the server's message replaces", () => {
  for (const { noun, nouns, add } of [
    { noun: 'founder', nouns: 'founders', add: 'Add to Network' },
    { noun: 'company', nouns: 'companies', add: 'Add to Portfolio' },
  ]) {
    test(`Failed to fetch ${nouns}, Failed to refresh ${noun} data, Failed to add ${noun}`, async ({
      page,
      complaints,
    }) => {
      const name = await make(page, nouns, noun)
      await expectToSay(page, [
        { says: `Failed to fetch ${nouns}`, call: ['GET', `/${nouns}?*`], act: () => page.goto(`/${nouns}`) },
      ])
      await page.goto(`/${nouns}?search=${name}`)
      await expectToSay(page, [
        {
          says: `Failed to refresh ${noun} data`,
          call: ['POST', `/${nouns}/*/refresh`],
          act: () => press(page, `Refresh ${name}`),
        },
      ])
      await page.goto(`/${nouns}/add`)
      await page.getByLabel('Name', { exact: true }).fill('Ada')
      if (noun === 'founder') await page.getByLabel('LinkedIn profile').fill('https://www.linkedin.com/in/ada')
      await page.getByLabel('Notes').fill('Met.')
      await expectToSay(page, [
        { says: `Failed to add ${noun}`, call: ['POST', `/${nouns}`], act: () => press(page, add) },
      ])
      expectNoComplaintsButOf(complaints, 500)
    })
  }

  test('Failed to fetch your records, Failed to refresh data, Failed to update, Failed to delete', async ({
    page,
    complaints,
  }) => {
    const name = await make(page, 'founders', 'founder')
    const path = '/founders/*'
    const open = () => page.goto('/my-records')
    await expectToSay(page, [
      {
        says: 'Failed to fetch your records. Please try refreshing the page.',
        call: ['GET', '/founders?*'],
        act: open,
      },
      {
        says: 'Failed to fetch your records. Please try refreshing the page.',
        call: ['GET', '/companies?*'],
        act: open,
      },
    ])
    await open()
    await expectToSay(page, [
      {
        says: 'Failed to refresh data',
        call: ['POST', `${path}/refresh`],
        act: () => press(page, `Refresh ${name}`),
      },
      {
        says: 'Failed to delete',
        call: ['DELETE', path],
        act: async () => {
          await press(page, `Delete ${name}`)
          await press(page, 'Delete')
        },
      },
    ])
    await press(page, `Edit ${name}`)
    await page.getByRole('textbox', { name: 'Notes' }).fill('Typed with care.')
    await expectToSay(page, [{ says: 'Failed to update', call: ['PUT', path], act: () => press(page, 'Save Changes') }])
    await expect(page.getByRole('textbox', { name: 'Notes' })).toHaveValue('Typed with care.')
    expectNoComplaintsButOf(complaints, 500)
  })

  test('Failed to load notes, Failed to add note, Failed to delete note', async ({ page, complaints }) => {
    const name = await make(page, 'founders', 'founder')
    const open = async () => {
      await page.goto(`/founders?search=${name}`)
      await page.getByRole('button', { name: /^View note/ }).click()
    }
    await expectToSay(page, [{ says: 'Failed to load notes', call: ['GET', '/notes/founder/*'], act: open }])
    await open()
    await expectToSay(page, [
      {
        says: 'Failed to delete note',
        call: ['DELETE', '/notes/founder/*/*'],
        act: async () => {
          await press(page, 'Delete note')
          await press(page, 'Delete')
        },
      },
    ])
    await page.getByRole('textbox', { name: 'New note' }).fill('Another.')
    await expectToSay(page, [
      { says: 'Failed to add note', call: ['POST', '/notes/founder/*'], act: () => press(page, 'Add Note') },
    ])
    expectNoComplaintsButOf(complaints, 500)
  })

  test('Failed to fetch dashboard data, Failed to refresh, Failed to logout', async ({ page, complaints }) => {
    const name = await make(page, 'founders', 'founder')
    await expectToSay(page, [
      { says: 'Failed to fetch dashboard data', call: ['GET', '/dashboard'], act: () => page.goto('/') },
    ])
    await page.goto('/')
    await expectToSay(page, [
      {
        says: 'Failed to refresh',
        call: ['POST', '/founders/*/refresh'],
        act: () => press(page, `Refresh ${name}`),
      },
      { says: 'Failed to logout', call: ['POST', '/auth/logout'], act: () => press(page, 'Logout') },
    ])
    expectNoComplaintsButOf(complaints, 500)
  })
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

  test('a 401 of the current-user check shows no message', async ({ page, complaints }) => {
    await page.route('**/api/auth/me', (route) => route.fulfill({ status: 401, json: { error: 'Not authenticated' } }))
    await page.goto('/founders')
    await expect(page).toHaveURL('/auth')
    await expect(page.getByLabel('Email')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    expectNoComplaintsButOf(complaints, 401)
  })

  test('a 401 on an auth path does not redirect', async ({ page, complaints }) => {
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
