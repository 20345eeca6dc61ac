import { readFile } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeAccount, PASSWORD } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const ask = (url: string, headers: Record<string, string> = {}) => test.app.inject({ url, headers })

describe('The page and its files', () => {
  it.each(['/', '/auth', '/founders', '/companies/add', '/any/other/path', '/founders?search=a.b'])(
    '%s is the page, with its own nonce',
    async (path) => {
      const [one, other] = [await ask(path), await ask(path)]
      expect([one.statusCode, one.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(one.headers['cache-control']).toBe('no-cache')
      const nonceOf = (policy: unknown) => /'nonce-([^']+)'/.exec(String(policy))?.[1] ?? 'none'
      const nonce = nonceOf(one.headers['content-security-policy'])
      expect(one.body).toContain(`content="${nonce}"`)
      expect(nonceOf(other.headers['content-security-policy'])).not.toBe(nonce)
    },
  )

  it.each([
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
    '//api/founders',
    '///API/',
    '/API/founders',
    '/Api/auth/me',
    '/%41pi/founders',
    '/%2fapi',
  ])('%s is 404, and not the page', async (path) => {
    const answer = await ask(path)
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: expect.any(String) }])
  })

  it('a file with a hash in its name is cached for ever', async () => {
    const script = /src="(\/assets\/[^"]+\.js)"/.exec((await ask('/')).body)?.[1] as string
    const { statusCode, headers } = await ask(script)
    expect(statusCode).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toContain('javascript')
  })

  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
  ])(
    'scripts, styles and drawings for a browser that accepts %s are sent as %s',
    async (accepted, encoding, plainOf) => {
      const built = /"\/assets\/[^"]+\.(?:js|css)"/g
      const named = (await ask('/')).body.match(built) ?? []
      const paths = [...named.map((path) => path.slice(1, -1)), '/favicon.svg']
      expect(paths.length).toBeGreaterThan(2)
      for (const path of paths) {
        const plain = await ask(path, { 'accept-encoding': 'identity' })
        const answer = await ask(path, { 'accept-encoding': accepted })
        expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding])
        expect(answer.headers.vary).toBe('accept-encoding')
        expect(answer.headers['content-type']).toBe(plain.headers['content-type'])
        expect(answer.headers['cache-control']).toBe(plain.headers['cache-control'])
        expect(plainOf(answer.rawPayload).equals(plain.rawPayload)).toBe(true)
        const lengths = [answer, plain].map((sent) => Number(sent.headers['content-length']))
        if (encoding) expect(lengths[0]).toBeLessThan(lengths[1] as number)
      }
    },
  )

  it('the compressed files have no address of their own', async () => {
    for (const path of ['/favicon.svg.br', '/favicon.svg.gz', '/index.html.br']) {
      expect([path, (await ask(path)).statusCode]).toEqual([path, 404])
    }
  })

  it('has no inline script, style or event handler', async () => {
    const { body } = await ask('/')
    expect(body).not.toMatch(/<script(?![^>]* src=)/)
    expect(body).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
  })

  it('contains the settings of the operator', async () => {
    const { body } = await ask('/')
    expect(body).toContain('content="example.com"')
    expect(body).toContain('content="Venture Fellows"')
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'] as const)('is 404 for %s', async (method) => {
    expect((await test.app.inject({ method, url: '/founders' })).statusCode).toBe(404)
  })
})

describe('A browser', () => {
  const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

  it.each([
    '/founders/john.doe',
    '/john.doe',
    '/.well-known/change-password',
    '/index.html',
    '/index%2ehtml',
    '/missing.css',
  ])('that opens %s gets the page with everything filled in, and other clients do not', async (url) => {
    const opened = await test.visitor().get(url, { headers: BROWSER })
    expect([opened.status, opened.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(opened.text).toContain('<meta name="mail" content="false" />')
    expect(opened.text).not.toMatch(/%[A-Z_]{3,}%/)
    for (const accept of ['*/*', 'text/css,*/*;q=0.1', 'application/json', 'image/avif,image/webp,*/*', undefined]) {
      const { status, body } = await test.visitor().get(url, accept === undefined ? {} : { headers: { accept } })
      expect([accept, status, body]).toEqual([accept, 404, { error: expect.any(String) }])
    }
  })

  it('that opens a malformed address is redirected to the dashboard, and no other request is', async () => {
    const ask = (url: string, accept: string) => test.visitor().raw({ method: 'GET', url, headers: { accept } })
    const opened = await ask('/founders/%ff', BROWSER.accept)
    expect([opened.status, opened.headers.location]).toEqual([302, '/'])
    expect(opened.headers['content-security-policy']).toBeDefined()
    expect((await ask('/founders/%ff', '*/*')).status).toBe(400)
    expect((await ask('/api/founders/%ff', BROWSER.accept)).body.error).toBe('This URL is malformed')
  })

  it('does not get the page for the API or for a change', async () => {
    expect((await test.visitor().get('/api/founders/x.css', { headers: BROWSER })).body.error).toBeTypeOf('string')
    const change = await test
      .visitor()
      .raw({ method: 'POST', url: '/founders/john.doe', headers: BROWSER, payload: {} })
    expect([change.status, change.body.error]).toEqual([404, 'There is nothing at this address'])
  })

  it('gets the settings of mail, single sign-on and passwords with the page', { tags: 'slow' }, async () => {
    const open = (await test.visitor().get('/')).text
    expect(open).toContain('<meta name="mail" content="false" />')
    expect(open).toContain('<meta name="sso" content="[]" />')
    expect(open).toContain('<meta name="contact" content="" />')
    const oidc = { OIDC_ISSUER: 'https://login.test', OIDC_CLIENT_ID: 'an id', OIDC_CLIENT_SECRET: 'a secret' }
    const contact = { CONTACT: ' Ask "Ada" <ada@mit.edu>' }
    const settings = {
      ...oidc,
      ...contact,
      OIDC_NAME: '"><script>',
      SMTP_URL: 'smtp://127.0.0.1:1',
      PASSWORD_MIN_LENGTH: '9',
    }
    const other = await startTestApp(settings)
    const { text } = await other.visitor().get('/')
    expect(text).toContain('<meta name="mail" content="true" />')
    expect(text).toContain('<meta name="password-min" content="9" />')
    expect(text).toMatch(/<meta name="contact" content="Ask &#34;Ada&#34; &#60;ada@mit.edu&#62;" \/>/)
    const written = /<meta name="sso" content="([^"]*)"/.exec(text)?.[1] ?? ''
    const read = written.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    expect(JSON.parse(read)).toEqual([{ id: 'oidc', name: '"><script>' }])
    expect(text).not.toMatch(/an id|a secret|login\.test/)
    await other.close()
  })
})

describe('The page and the session', () => {
  const SIGN_IN = 'src/pages/auth-page.tsx'
  const DASHBOARD = 'src/pages/dashboard-page.tsx'
  const RECORDS = 'src/pages/records-page.tsx'

  const signedIn = async () => {
    const { email } = await makeAccount(test.db)
    const visitor = test.visitor()
    await visitor.post('/api/auth/login', { email, password: PASSWORD })
    return visitor
  }
  const fileOf = async (page: string) => {
    const manifest = await readFile(new URL('../../dist/web/.vite/manifest.json', import.meta.url), 'utf8')
    return `<link rel="modulepreload" crossorigin href="/${JSON.parse(manifest)[page].file}">`
  }

  it('names the account of a live session, and none once it has ended', async () => {
    const visitor = await signedIn()
    const { account } = (await visitor.get('/api/auth/me')).body
    expect((await visitor.get('/founders')).text).toContain(`<meta name="account" content="${account}" />`)
    await visitor.post('/api/auth/logout')
    expect((await visitor.get('/founders')).text).toContain('<meta name="account" content="" />')
  })

  it('links to the files of the screen at its address, and of no other', async () => {
    const visitor = await signedIn()
    const { text } = await visitor.get('/founders?search=x')
    expect(text).toContain(await fileOf(RECORDS))
    expect(text).not.toContain(await fileOf(DASHBOARD))
    expect((await visitor.get('/')).text).toContain(await fileOf(DASHBOARD))
  })

  it('links to each file once, and only to existing files', async () => {
    const { text } = await (await signedIn()).get('/my-records')
    const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, file]) => String(file))
    expect(new Set(files).size).toBe(files.length)
    for (const file of files) expect((await test.visitor().get(file)).status).toBe(200)
  })

  it('links to the files of the sign-in form without a session, at any address', async () => {
    for (const path of ['/', '/founders', '/auth']) {
      const { text } = await test.visitor().get(path)
      expect(text).toContain(await fileOf(SIGN_IN))
      expect(text).not.toContain(await fileOf(RECORDS))
    }
  })

  it('links to no file at an address without a page', async () => {
    const { text } = await (await signedIn()).get('/__proto__')
    expect(text).not.toContain('src/pages')
    expect(text).not.toContain(await fileOf(DASHBOARD))
  })
})

describe('The service worker', () => {
  it('is a file that browsers ask for again, and where it is switched off one that removes it', async () => {
    const { statusCode, headers, body } = await ask('/worker.js')
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache'])
    expect(body).toContain('/offline')
    expect((await ask('/offline')).body).not.toContain('modulepreload" crossorigin href="/assets/auth')
    const without = await startTestApp({ SERVICE_WORKER: 'off' })
    onTestFinished(() => without.close())
    const removed = await without.app.inject('/worker.js')
    expect([removed.statusCode, removed.headers['content-type']]).toEqual([
      200,
      'application/javascript; charset=utf-8',
    ])
    expect(removed.body).toContain('registration.unregister()')
    expect((await without.app.inject('/')).body).toContain('name="service-worker" content="off"')
  })
})
