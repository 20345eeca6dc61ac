import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { CONTEXT_OPTIONS } from './context-options.ts'
import {
  callApi,
  expect,
  join,
  own,
  PASSWORD,
  type Product,
  SCREENS,
  startProduct,
  testWithWorker as test,
  visit,
} from './product.ts'
import { addFounder } from './records.ts'
import { countOf, fill, leaveWaiting, line } from './waiting.ts'

/** A browser with a service worker, in which a person has used the product. */
async function openBrowser(browser: Browser, baseURL: string) {
  const context = await browser.newContext({ ...CONTEXT_OPTIONS, baseURL })
  const page = await context.newPage()
  const person = await join(page)
  await page.goto('/')
  await page.evaluate(() => navigator.serviceWorker.ready)
  return { context, page, person }
}

/** What the browser keeps of this site, as text. */
const keptBy = (page: Page) =>
  page.evaluate(async () => {
    const kept = [
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
      JSON.stringify(await indexedDB.databases()),
    ]
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        kept.push(request.url, JSON.stringify([...(response?.headers ?? [])]), (await response?.text()) ?? '')
      }
    }
    return kept.join('\n')
  })

test.describe('Without a network, in a browser in which the product was used', () => {
  test('both add forms open from a cold page, and what is typed is sent later', async ({ browser, product }) => {
    const { context, page } = await openBrowser(browser, product.url)
    await page.close()
    await context.setOffline(true)
    const cold = await context.newPage()
    const [founder, company] = [own('Cold'), own('Frost')]
    await cold.goto('/founders/add')
    await fill(cold, founder)
    await expect(line(cold, '1 form')).toBeVisible()
    await cold.goto('/companies/add')
    await fill(cold, company)
    await expect(line(cold, '2 forms')).toBeVisible()

    await cold.goto('/account')
    await expect(cold.getByText('This screen was not loaded yet.')).toBeVisible()
    await cold.getByRole('link', { name: 'Add Founder' }).press('Enter')
    await expect(cold.getByLabel('Name', { exact: true })).toBeVisible()

    await test.step('addresses with a query, calls, files and single sign-on are never answered from what is kept', async () => {
      const paths = ['/founders/add?x=1', '/api/founders', '/auth/sso/google/callback', '/api/export.csv', '/next.ics']
      for (const address of paths) {
        const other = await context.newPage()
        await expect(other.goto(address), address).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
        await other.close()
      }
    })

    await context.setOffline(false)
    await expect(line(cold, '')).toHaveCount(0, { timeout: 30_000 })
    expect(await countOf(cold, founder)).toBe(1)
    expect(await countOf(cold, company, '/companies')).toBe(1)
    await expect(cold.getByText('Ada Lovelace').first()).toBeVisible()

    await test.step('what a link fills in offline is neither sent nor lost: an add form is sent by its button, proposals and the page of a record are there when the network is back', async () => {
      const [name, tag] = [own('Linked'), own('Demo day')]
      await callApi(cold, 'POST', '/tags', { name: tag })
      const record = await addFounder(cold)
      await cold.close()
      await context.setOffline(true)
      const sent: string[] = []
      context.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
      const open = async (address: string) => {
        const tab = await context.newPage()
        await tab.goto(address)
        return tab
      }
      const linkedIn = `https://www.linkedin.com/in/${name}`
      const values = { name, linkedIn, notes: 'Met at the event.' }
      const form = await open(`/founders/add#${new URLSearchParams({ ...values, tag })}`)
      await expect(form.getByLabel('Name', { exact: true })).toHaveValue(name)
      await expect(form.getByText('Filled in by a link.')).toBeVisible()
      await expect(form.getByRole('list', { name: 'After adding' })).toContainText(`Tag: ${tag}`)
      await expect(form).toHaveURL('/founders/add')
      await form.keyboard.press('Enter')

      const note = `/founders/${record.id}#note=By+a+link`
      const [ofRecord, proposals] = [await open(note), await open(`/proposals#${new URLSearchParams({ to: note })}`)]
      for (const tab of [ofRecord, proposals])
        await expect(tab.getByText('This screen was not loaded yet.')).toBeVisible()
      expect(sent).toEqual([])
      await expect(line(form, '1 form')).toHaveCount(0)
      await form.getByRole('button', { name: 'Add to Network' }).click()
      await expect(line(form, '1 form')).toBeVisible()

      await context.setOffline(false)
      await expect(line(form, '1 form')).toHaveCount(0, { timeout: 30_000 })
      const added = async () => (await callApi(form, 'GET', `/founders?search=${name}`)).body
      await expect.poll(added).toMatchObject([{ name, tags: [{ name: tag }] }])
      await ofRecord.getByRole('button', { name: 'Try again' }).click()
      await expect(ofRecord.getByLabel('New note')).toHaveValue('By a link')
      await proposals.getByRole('button', { name: 'Try again' }).click()
      await proposals.getByRole('button', { name: 'Open proposal 1' }).click()
      await expect(proposals.getByLabel('New note')).toHaveValue('By a link')
      expect((await callApi(form, 'GET', `/notes/founder/${record.id}`)).body.notes).toEqual([])

      // The files of the page are kept by the browser now, but the record is not.
      await context.setOffline(true)
      await ofRecord.goto(`/founders/${record.id}#note=By+another+link`)
      await expect(ofRecord.getByText('The founder could not be loaded')).toBeVisible()
      await context.setOffline(false)
      await expect(ofRecord.getByLabel('New note')).toHaveValue('By another link', { timeout: 30_000 })
    })
    await context.close()

    await test.step('only public ids say whose it is: after a sign-out no name, address or text is left, and the page says Sign in once with a network', async () => {
      const { context, page, person } = await openBrowser(browser, product.url)
      const { account } = (await callApi(page, 'GET', '/auth/me')).body
      expect(await keptBy(page)).toContain(account)
      await page.goto('/founders/add')
      const word = own('Secret')
      await page.getByLabel('Notes').fill(word)
      await page.goto('/')
      await page.getByRole('button', { name: 'Logout' }).click()
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await expect(page).toHaveURL('/auth')
      const kept = await keptBy(page)
      expect(kept).toContain('/offline')
      for (const text of [person.name, person.email, word]) expect(kept).not.toContain(text)
      expect(await page.evaluate(() => localStorage.getItem('signed-in'))).toBeNull()

      await context.setOffline(true)
      await page.goto('/founders/add#name=By+a+link')
      await expect(page.getByText('Sign in once with a network.')).toBeVisible()

      await context.setOffline(false)
      await test.step('what a link fills in is there after the sign-in', async () => {
        await expect(page).toHaveURL('/auth', { timeout: 30_000 })
        await page.getByLabel('Email').fill(person.email)
        await page.keyboard.press('Enter')
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await page.keyboard.press('Enter')
        await expect(page).toHaveURL('/founders/add')
        await expect(page.getByLabel('Name', { exact: true })).toHaveValue('By a link')
      })
      await test.step('the ids go at a 401 too', async () => {
        await join(page)
        await page.goto('/')
        await expect.poll(() => page.evaluate(() => localStorage.getItem('signed-in'))).not.toBeNull()
        await callApi(page, 'POST', '/auth/logout')
        await page.goto('/founders')
        await expect(page).toHaveURL(/\/auth/)
        expect(await page.evaluate(() => localStorage.getItem('signed-in'))).toBeNull()
      })
      await context.close()
    })

    // What was discarded stays in the logs of the browser's databases until the browser compacts them, and so does the draft
    // of a form that was sent to wait. So neither is looked for in these logs.
    await test.step('after a sign-out the profile folder of the browser has no name or address; what was kept on this device is in one place only', async () => {
      const word = own('Secret')
      const folder = mkdtempSync(path.join(tmpdir(), 'sourcebook-profile-'))
      try {
        for (const choice of ['Discard', 'Keep on this device']) {
          const context = await browser.browserType().launchPersistentContext(folder, {
            ...{ ...CONTEXT_OPTIONS, baseURL: product.url, args: ['--no-sandbox'] },
            ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
          })
          const page = context.pages()[0] ?? (await context.newPage())
          const person = await join(page)
          await page.goto('/')
          await page.evaluate(() => navigator.serviceWorker.ready)
          const record = await addFounder(page, { name: own('Known'), notes: own('Told') })
          for (const screen of [...SCREENS, `/founders/${record.id}`, '/']) await visit(page, screen)
          await leaveWaiting(page, word)
          await page.route('**/api/founders', (route) => route.abort())
          await context.setOffline(false)
          await page.getByRole('button', { name: 'Logout' }).click()
          await page.getByRole('button', { name: choice }).click()
          await expect(page).toHaveURL('/auth')
          // Files may be compressed, so the browser is asked too.
          const kept = await keptBy(page)
          expect(kept.includes(word), 'kept on this device').toBe(choice !== 'Discard')
          expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(word)
          for (const text of [person.name, person.email, record.name, record.id]) expect(kept).not.toContain(text)
          await context.close()
          for (const text of [person.name, person.email, record.name]) expect(filesWith(folder, text), text).toEqual([])
        }
        const places = filesWith(folder, word).filter((file) => !/\/Session Storage\/\d+\.log$/.test(file))
        expect(places).toEqual([expect.stringContaining('/Local Storage/')])
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
  })
})

/** The files below a folder that contain a text. */
const filesWith = (folder: string, text: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) =>
      [Buffer.from(text), Buffer.from(text, 'utf16le')].some((bytes) => readFileSync(file).includes(bytes)),
    )

/** The product behind an address whose service worker changes with `version`. */
async function withVersions({ url }: Product) {
  const place = { version: 1 }
  const server = createServer((asked, reply) => {
    // Whole and as it is, because it is changed on the way.
    const { 'accept-encoding': _coding, 'if-none-match': _tag, 'if-modified-since': _time, ...headers } = asked.headers
    const passed = request(new URL(asked.url ?? '/', url), { method: asked.method, headers }, (answer) => {
      const { 'content-length': _length, ...rest } = answer.headers
      reply.writeHead(answer.statusCode ?? 500, rest)
      if (asked.url === '/worker.js') answer.on('end', () => reply.end(`\n// ${place.version}`))
      answer.pipe(reply, { end: asked.url !== '/worker.js' })
    })
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    update: () => {
      place.version += 1
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const isWaiting = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting != null)

test('Another version of the service worker waits until no tab has an open form', { tag: '@slow' }, async ({
  browser,
  product,
}) => {
  const versions = await withVersions(product)
  const { context, page } = await openBrowser(browser, versions.url)
  await page.reload()
  await page.getByRole('link', { name: 'Add Founder' }).first().click()
  await page.getByLabel('Notes').fill('Half a sentence')
  versions.update()
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect.poll(() => isWaiting(page)).toBe(true)
  const other = await context.newPage()
  await other.goto('/')
  await other.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)))
  expect(await isWaiting(page)).toBe(true)
  await page.getByRole('link', { name: 'Dashboard' }).first().click()
  await expect.poll(() => isWaiting(page)).toBe(false)
  await context.close()
  versions.close()

  await test.step('An operator can switch the service worker off, and it then removes itself', async () => {
    const switched = await startProduct({ SERVICE_WORKER: 'on' })
    const { context, page } = await openBrowser(browser, switched.url)
    await switched.stop()
    const without = await startProduct({ PORT: new URL(switched.url).port, SERVICE_WORKER: 'off' })
    await page.goto('/auth')
    const left = () =>
      page.evaluate(async () => [
        (await navigator.serviceWorker.getRegistrations()).length,
        (await caches.keys()).length,
      ])
    await expect.poll(left).toEqual([0, 0])
    await context.close()
    await without.stop()
  })
})
