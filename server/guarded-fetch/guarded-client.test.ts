import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { AddressRefused } from './address-refused.ts'
import { createGuardedClient, LIMITS } from './guarded-client.ts'
import { USER_AGENT } from './request.ts'
import { certificateFor } from './test/certificate.ts'
import { type Internet, openInternet } from './test/internet.ts'

const SITE = '93.184.216.34'
const OTHER = '2606:4700::1111'
const REFUSAL = 'This address could not be read'

let internet: Internet
beforeEach(async () => {
  internet = await openInternet()
  internet.name('site.example', SITE)
})
afterEach(async () => {
  // No connection stays open, whatever the result.
  await expect.poll(internet.openSockets).toBe(0)
  await internet.close()
})

/** Refused with the one error, and no canary was reached. */
async function expectRefused(url: string, client = internet.client()) {
  const refusal = await client.get(url, {}).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(AddressRefused)
  expect((refusal as Error).message).toBe(REFUSAL)
  expect(internet.canary().hits).toBe(0)
}

function trust({ cert }: { cert: string }) {
  const usual = getCACertificates()
  setDefaultCACertificates([cert])
  onTestFinished(() => setDefaultCACertificates(usual))
}

const redirectTo = (location: string, status = 302) =>
  internet.serve(SITE, (_request, response) => response.writeHead(status, { location }).end())

describe('Reading an address', () => {
  it('returns status, type and body of a public one', async () => {
    await internet.serve(SITE, (request, response) =>
      response.setHeader('content-type', 'text/html').end(`<p>${request.url}</p>`),
    )
    const { body, ...head } = await internet.client().get('http://site.example/a?b=c#d', {})
    expect(head).toEqual({ url: 'http://site.example/a?b=c#d', status: 200, contentType: 'text/html' })
    expect(body.toString()).toBe('<p>/a?b=c</p>')
  })

  it('reads over https, and over IPv6', async () => {
    const certificate = certificateFor('secure.example')
    trust(certificate)
    internet.name('secure.example', OTHER)
    await internet.serveSecurely(OTHER, certificate, (_request, response) => response.end('secured'))
    const { body } = await internet.client().get('https://secure.example/', {})
    expect(body.toString()).toBe('secured')
  })

  it('sends only its own few headers, in a single request (SR-7, SR-12)', async () => {
    const sent: string[] = []
    await internet.serveRaw(SITE, 80, (socket) =>
      socket.on('data', (data) => {
        sent.push(data.toString())
        socket.end('HTTP/1.1 200 OK\r\nset-cookie: a=b\r\n\r\nhello')
      }),
    )
    const client = internet.client()
    await client.get('http://site.example/', { accept: 'text/html' })
    await client.get('http://site.example/', { accept: 'text/html' })
    const request = [
      'GET / HTTP/1.1',
      'host: site.example',
      `user-agent: ${USER_AGENT}`,
      'accept: text/html',
      'accept-encoding: gzip, br, deflate',
      'Connection: close',
      '\r\n',
    ].join('\r\n')
    expect(sent).toEqual([request, request])
    // A site must not learn who reads it, or why.
    expect(USER_AGENT).not.toMatch(/source|sourcing|founder|compan|fellow/i)
  })

  it('aborts with the signal of its caller', async () => {
    await internet.serve(SITE, () => {})
    const refusal = internet.client().get('http://site.example/', { signal: AbortSignal.timeout(50) })
    await expect(refusal).rejects.toThrow(REFUSAL)
    await expect(internet.client().get('http://site.example/', { signal: AbortSignal.abort() })).rejects.toThrow(
      REFUSAL,
    )
  })
})

describe('A literal address (SR-1, SR-2, SR-8)', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:9999/',
    'http://0/',
    'http://0.0.0.0/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://127.0.0.1./',
    'http://%31%32%37.0.0.1/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'https://192.168.1.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1%25lo]/',
  ])('is refused without a connection when it is not public: %s', async (url) => {
    await expectRefused(url)
    expect(internet.connectedTo).toEqual([])
  })

  it.each([
    ['a file', 'file:///etc/passwd'],
    ['ftp', 'ftp://site.example/'],
    ['gopher', 'gopher://site.example/'],
    ['data', 'data:text/html,hello'],
    ['a web socket', 'ws://site.example/'],
    ['a user', 'http://u@site.example/'],
    ['a user and a password', 'http://u:p@site.example/'],
    ['a password', 'http://:p@site.example/'],
    ['another port', 'http://site.example:8080/'],
    ['port 0', 'http://site.example:0/'],
    ['the port of https over http', 'http://site.example:443/'],
    ['the port of http over https', 'https://site.example:80/'],
    ['no URL', 'site.example'],
    ['nothing', ''],
  ])('is refused without a request: %s', async (_what, url) => {
    await internet.serve(SITE, (_request, response) => response.end('hello'))
    await expectRefused(url)
    expect(internet.queries).toEqual([])
    expect(internet.connectedTo).toEqual([])
  })

  it.each([
    'https://linkedin.com/in/ada',
    'https://www.linkedin.com/in/ada',
    'https://uk.LinkedIn.com./in/ada',
    'https://www.ｌｉｎｋｅｄｉｎ.com/in/ada',
    'https://lnkd.in/abc',
    'https://media.licdn.com/dms/image/1',
    'https://static.licdn.com/aero-v1/sc/h/1',
  ])('is refused before any DNS query when it is LinkedIn’s: %s', async (url) => {
    await expectRefused(url, internet.client({ allowHosts: [{ host: new URL(url).hostname, port: undefined }] }))
    expect(internet.queries).toEqual([])
  })

  it('is read when it only resembles LinkedIn’s', async () => {
    internet.name('notlinkedin.com', SITE)
    await internet.serve(SITE, (_request, response) => response.end('hello'))
    expect((await internet.client().get('http://notlinkedin.com/', {})).status).toBe(200)
  })
})

describe('A name (SR-4, SR-5)', () => {
  it.each([
    ['stands for loopback', ['127.0.0.1']],
    ['stands for IPv6 loopback', ['::1']],
    ['stands for a public address and a private one', [SITE, '10.0.0.1']],
    ['stands for a private address and a public one', ['10.0.0.1', SITE]],
    ['stands for a public IPv4 and a private IPv6 address', [SITE, 'fd00::1']],
    ['stands for loopback mapped into IPv6', ['::ffff:127.0.0.1']],
    ['stands for a link-local address with a zone', ['fe80::1%lo']],
    ['stands for nothing', []],
  ])('is refused without a connection when it %s', async (_what, addresses) => {
    internet.name('evil.example', ...addresses)
    await expectRefused('http://evil.example/')
    expect(internet.connectedTo).toEqual([])
  })

  it('is refused when the resolver of this machine returns loopback', async () => {
    for (const host of ['localhost', 'localhost.'])
      await expectRefused(`http://${host}/`, createGuardedClient({ allowHosts: [] }))
  })

  it('is resolved once per connection, which uses the checked address', async () => {
    const answers = [[SITE], ['127.0.0.1']]
    internet.resolver('rebinding.example', () => answers.shift() ?? ['127.0.0.1'])
    await internet.serve(SITE, (_request, response) => response.end('hello'))
    const { body } = await internet.client().get('http://rebinding.example/', {})
    expect(body.toString()).toBe('hello')
    expect(internet.connectedTo).toEqual([SITE])
    expect(internet.queries).toEqual(['rebinding.example'])
  })

  it('is checked again when a redirect leads back to it', async () => {
    const answers = [[SITE], ['127.0.0.1']]
    internet.resolver('rebinding.example', () => answers.shift() ?? ['127.0.0.1'])
    await redirectTo('/again')
    await expectRefused('http://rebinding.example/')
    expect(internet.connectedTo).toEqual([SITE])
  })

  it('is refused before a request is sent when the connection has another remote address', async () => {
    const client = internet.client({ connect: internet.connectToCanary })
    for (const host of ['site.example', SITE]) {
      await expect(client.get(`http://${host}/`, {})).rejects.toThrow(REFUSAL)
    }
    expect(internet.canary()).toEqual({ hits: 2, requests: 0 })
  })
})

describe('A redirect (SR-6)', () => {
  it.each([301, 302, 303, 307, 308])('of %s is followed, relative ones too', async (status) => {
    await internet.serve(SITE, (request, response) =>
      request.url === '/b/there' ? response.end('there') : response.writeHead(status, { location: 'b/there' }).end(),
    )
    const { url, body } = await internet.client().get('http://site.example/here', {})
    expect([url, body.toString()]).toEqual(['http://site.example/b/there', 'there'])
  })

  it.each([
    'http://127.0.0.1:9999/',
    'http://127.0.0.1/',
    '//127.0.0.1/',
    '//[::1]/',
    'http://private.example/',
    'http://site.example:9999/',
    'http://u:p@site.example/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'data:text/html,hello',
    'https://www.linkedin.com/in/ada',
    'https://media.licdn.com/1',
    'http://',
  ])('to %s is refused', async (location) => {
    internet.name('private.example', '192.168.0.1')
    await redirectTo(location)
    await expectRefused('http://site.example/')
    expect(internet.connectedTo).toEqual([SITE])
    expect(internet.queries.join()).not.toMatch(/linkedin|licdn/)
  })

  it('is followed three times, and refused the fourth', async () => {
    let requests = 0
    await internet.serve(SITE, (request, response) => {
      requests += 1
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('there')
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    expect((await internet.client().get('http://site.example/3', {})).url).toBe('http://site.example/0')
    expect(requests).toBe(4)
    await expectRefused('http://site.example/11')
    expect(requests).toBe(8)
  })

  it('from https to http is refused, to https it is followed', async () => {
    const certificate = certificateFor('secure.example')
    trust(certificate)
    internet.name('secure.example', SITE)
    await internet.serve(SITE, (_request, response) => response.end('open'))
    await internet.serveSecurely(SITE, certificate, (request, response) =>
      request.url === '/stay'
        ? response.writeHead(302, { location: 'https://secure.example/' }).end()
        : request.url === '/leave'
          ? response.writeHead(302, { location: 'http://site.example/' }).end()
          : response.end('secured'),
    )
    expect((await internet.client().get('https://secure.example/stay', {})).body.toString()).toBe('secured')
    await expectRefused('https://secure.example/leave')
  })
})

describe('An allowed host', () => {
  it('is read on its port although it is private, by name and by IP address', async () => {
    const port = internet.canaryPort
    const client = createGuardedClient({
      allowHosts: [
        { host: '127.0.0.1', port },
        { host: 'localhost', port: undefined },
      ],
    })
    for (const host of ['127.0.0.1', 'localhost']) {
      expect((await client.get(`http://${host}:${port}/`, {})).body.toString()).toBe('secret')
    }
    expect(internet.canary().requests).toBe(2)
  })

  it('is checked like any other on another port', async () => {
    const client = internet.client({ allowHosts: [{ host: '127.0.0.1', port: internet.canaryPort }] })
    await expectRefused('http://127.0.0.1/', client)
    await expectRefused(`http://[::1]:${internet.canaryPort}/`, client)
  })

  it('does not allow other hosts by a redirect', async () => {
    await redirectTo('http://10.0.0.1/')
    const client = internet.client({ allowHosts: [{ host: 'site.example', port: undefined }] })
    await expectRefused('http://site.example/', client)
    expect(internet.connectedTo).toEqual([SITE])
  })
})

// A busy machine may be late once, but not every time.
describe('A refusal (SR-10)', { retry: 2 }, () => {
  it('is the same, and within 200 ms, for every unreachable address', async () => {
    const elsewhere = certificateFor('elsewhere.example')
    internet.name('private.example', '127.0.0.1')
    internet.name('closed.example', OTHER)
    await internet.serve(SITE, (_request, response) => response.writeHead(404).end('no'))
    await internet.serveSecurely(SITE, elsewhere, (_request, response) => response.end('secured'))
    await internet
      .client()
      .get('https://site.example/', {})
      .catch(() => {}) // loads what TLS needs
    const urls = ['http://127.0.0.1/', 'http://10.0.0.1/', 'http://private.example/', 'http://closed.example/']
    for (const url of [...urls, 'http://unknown.example/', 'http://site.example/', 'https://site.example/']) {
      const before = performance.now()
      await expectRefused(url)
      expect(performance.now() - before).toBeLessThan(200)
    }
  })

  it.each([304, 400, 401, 403, 404, 429, 500, 503])('is the result of status %s', async (status) => {
    await internet.serve(SITE, (_request, response) => response.writeHead(status).end())
    await expectRefused('http://site.example/')
  })

  it('is the result of a certificate for another name or address', async () => {
    const elsewhere = certificateFor('elsewhere.example')
    trust(elsewhere)
    await internet.serveSecurely(SITE, elsewhere, (_request, response) => response.end('secured'))
    internet.name('elsewhere.example', SITE)
    expect((await internet.client().get('https://elsewhere.example/', {})).status).toBe(200)
    for (const host of ['site.example', SITE]) await expectRefused(`https://${host}/`)
  })

  it('is the result of a certificate of an unknown issuer', async () => {
    internet.name('secure.example', SITE)
    await internet.serveSecurely(SITE, certificateFor('secure.example'), (_request, response) => response.end())
    await expectRefused('https://secure.example/')
  })

  it('gives the reason only in the log', async () => {
    const refusal = await internet
      .client()
      .get('http://10.0.0.1/', {})
      .catch((error: AddressRefused) => error)
    expect((refusal as AddressRefused).cause).toEqual(new Error('Not all addresses of this host are public'))
    expect(JSON.stringify(refusal)).not.toContain('public')
  })
})

describe('Waiting', { retry: 2 }, () => {
  it('has the limits that the product promises', () => {
    expect(LIMITS).toEqual({
      totalMs: 8_000,
      connectMs: 2_000,
      bodyBytes: 2 * 1024 * 1024,
      headerBytes: 16 * 1024,
      redirects: 3,
    })
  })

  it('ends within 2.5 s without a connection, in every phase', { tags: 'slow' }, async () => {
    internet.resolver('silent.example', () => undefined)
    internet.name('filtered.example', OTHER)
    internet.filter(OTHER, 80)
    await internet.serveRaw(SITE, 443, () => {})
    const before = performance.now()
    const urls = ['http://silent.example/', 'http://filtered.example/', 'https://site.example/']
    await Promise.all(urls.map((url) => expectRefused(url)))
    expect(performance.now() - before).toBeLessThan(2_500)
  })

  it('for one hung server delays no other request (SR-11)', async () => {
    internet.name('hung.example', OTHER)
    await internet.serve(OTHER, () => {})
    await internet.serve(SITE, (_request, response) => response.end('hello'))
    const client = internet.client()
    const timeout = new AbortController()
    let ended = 0
    const hung = Array.from({ length: 50 }, () =>
      expect(client.get('http://hung.example/', { signal: timeout.signal }))
        .rejects.toThrow(REFUSAL)
        .finally(() => {
          ended += 1
        }),
    )
    await client.get('http://site.example/', {})
    expect(ended).toBe(0)
    timeout.abort()
    await Promise.all(hung)
  })
})
