import { expect, join, test } from './product.ts'

test.describe('The page and its files', () => {
  for (const path of ['/', '/auth', '/founders', '/companies/add', '/any/other/path', '/founders?search=a.b']) {
    test(`${path} is the page, with a nonce of its own`, async ({ request }) => {
      const [one, other] = [await request.get(path), await request.get(path)]
      expect(one.status()).toBe(200)
      expect(one.headers()['content-type']).toBe('text/html; charset=utf-8')
      expect(one.headers()['cache-control']).toBe('no-cache')
      const nonceOf = (policy = '') => /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none'
      const nonce = nonceOf(one.headers()['content-security-policy'])
      expect(await one.text()).toContain(`content="${nonce}"`)
      expect(nonceOf(other.headers()['content-security-policy'])).not.toBe(nonce)
    })
  }

  for (const path of [
    '/.env',
    '/.git/config',
    '/package.json',
    '/.vite/manifest.json',
    '/server/main.js',
    '/..%2fserver%2fmain.js',
    '/missing.css',
    '/index.html',
    '/founders/john.doe',
    '/assets/missing.js',
    '/..%2f..%2fetc%2fpasswd',
    '/..%5c..%5cetc%5cpasswd',
    '/data/database/PG_VERSION.txt',
    '/.well-known/security',
    '/api',
    '/api/x.css',
    '/api//founders',
  ]) {
    test(`${path} is 404, and not the page`, async ({ request }) => {
      const answer = await request.get(path)
      expect(answer.status()).toBe(404)
      expect(await answer.json()).toEqual({ error: expect.any(String) })
    })
  }

  for (const path of ['/founders/john.doe', '/.env', '/index.html', '/missing.css']) {
    test(`${path} redirects in a browser as any unknown path does`, async ({ page }) => {
      await page.goto(path)
      await expect(page).toHaveURL('/auth')
      await expect(page.getByLabel('Email')).toBeVisible()
      await join(page)
      await page.goto(path)
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
    })
  }

  test('files with a hash in their name are kept for ever, the page is asked for each time', async ({ request }) => {
    const html = await (await request.get('/')).text()
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] as string
    const answer = await request.get(script)
    expect(answer.status()).toBe(200)
    expect(answer.headers()['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(answer.headers()['content-type']).toContain('javascript')
  })

  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    test(`scripts, styles and drawings are sent as ${encoding ?? 'they are'} to a browser that accepts ${accepted}`, async ({
      request,
    }) => {
      const html = await (await request.get('/')).text()
      const built = /"\/assets\/[^"]+\.(?:js|css)"/g
      const paths = [...(html.match(built) ?? []).map((path) => path.slice(1, -1)), '/favicon.svg']
      expect(paths.length).toBeGreaterThan(2)
      for (const path of paths) {
        const plain = await request.get(path, { headers: { 'accept-encoding': 'identity' } })
        const answer = await request.get(path, { headers: { 'accept-encoding': accepted } })
        expect(answer.status()).toBe(200)
        expect(answer.headers()['content-encoding']).toBe(encoding)
        expect(answer.headers().vary).toBe('accept-encoding')
        expect(answer.headers()['content-type']).toBe(plain.headers()['content-type'])
        expect(answer.headers()['cache-control']).toBe(plain.headers()['cache-control'])
        expect(await answer.text()).toBe(await plain.text())
        const lengths = [answer, plain].map((sent) => Number(sent.headers()['content-length']))
        if (encoding) expect(lengths[0]).toBeLessThan(lengths[1] as number)
      }
    })
  }

  test('the compressed forms have no address of their own', async ({ request }) => {
    for (const path of ['/favicon.svg.br', '/favicon.svg.gz', '/index.html.br']) {
      expect((await request.get(path)).status()).toBe(404)
    }
  })

  test('has nothing inline: no script, no style, no handler', async ({ request }) => {
    const html = await (await request.get('/')).text()
    expect(html).not.toMatch(/<script(?![^>]* src=)/)
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
  })

  test('says in the page what the operator set', async ({ request }) => {
    const html = await (await request.get('/')).text()
    expect(html).toContain('content="example.com"')
    expect(html).toContain('content="Venture Fellows"')
  })

  test('is not there for anything but reading', async ({ request }) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      expect((await request.fetch('/founders', { method })).status()).toBe(404)
    }
  })
})

test.describe('Colours', () => {
  for (const [stored, preferred, shown] of [
    [null, 'dark', 'dark'],
    [null, 'light', 'light'],
    ['light', 'dark', 'light'],
    ['dark', 'light', 'dark'],
  ] as const)
    test(`are ${shown} before anything is drawn where ${stored ?? 'nothing'} was chosen and the system is ${preferred}`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme: preferred })
      await page.addInitScript((stored) => {
        if (stored) localStorage.setItem('mantine-color-scheme-value', stored)
      }, stored)
      // What draws the page never comes.
      await page.route('**/assets/index-*.js', () => {})
      await page.goto('/auth', { waitUntil: 'commit' })
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', shown)
    })
})

test.describe('A page whose file is gone, as after an upgrade', () => {
  test('says so and is loaded again on request', async ({ page, complaints }) => {
    await join(page)
    await page.goto('/')
    await page.route('**/assets/records-page-*.js', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('navigation').getByRole('link', { name: 'Search Companies' }).click()
    await expect(page.getByRole('alert')).toContainText('This page could not be shown')
    complaints.splice(0)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Load again' }).click()
    await expect(page.getByRole('heading', { name: 'Search Companies' })).toBeVisible()
  })
})
