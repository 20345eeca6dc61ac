import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CompanySubject } from '#server/enrichment/provider.ts'
import { openInternet } from '#server/guarded-fetch/test/internet.ts'
import { website } from './website.ts'

type Page = { body?: string | Buffer; status?: number; headers?: Record<string, string>; isEndless?: boolean }
/** By host and path. */
type Pages = Record<string, Page>

const ADDRESS = '93.184.216.34'

const fixture = (name: string) => ({ body: readFileSync(new URL(`./fixtures/${name}`, import.meta.url)) })
const home = fixture('home.html')
const about = fixture('about.html')

const acme: CompanySubject = {
  ...{ name: 'Acme Robotics', domain: 'acme.example', website: 'http://acme.example/' },
  ...{ linkedIn: null, github: null },
}

/** Looks a company up on an internet of these pages; `asked` are the requested pages. */
async function ask(pages: Pages, subject: Partial<CompanySubject> = {}, patienceMs = 5000) {
  const internet = await openInternet()
  onTestFinished(async () => {
    await internet.close()
  })
  for (const page of ['www.acme.example', 'acme.example', ...Object.keys(pages)]) {
    internet.name(page.replace(/\/.*/, ''), ADDRESS)
  }
  const asked: string[] = []
  await internet.serve(ADDRESS, (request, response) => {
    const address = `${request.headers.host}${request.url}`
    asked.push(address)
    const { body = '', status = 200, headers, isEndless }: Page = pages[address] ?? { status: 404 }
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.write(body)
    if (!isEndless) response.end()
  })
  const provider = website.create({ baseUrl: '', key: '', guardedClient: internet.client() })
  const outcome = await provider.askCompany?.({ ...acme, ...subject })?.(AbortSignal.timeout(patienceMs))
  return { outcome, asked, lookedUp: internet.queries }
}

const saying = (description: string) => ({ body: `<meta name="description" content="${description}">` })
const redirectTo = (location: string) => ({ status: 301, headers: { location } })
const nothing = { outcome: { kind: 'not-found' } }
const unavailable = { kind: 'failed', reason: 'unavailable', isRetryable: false }

describe('The website of a company', () => {
  it('yields the data of the front page and of the page about the company', async () => {
    const { outcome, asked } = await ask({ 'acme.example/': home, 'acme.example/about-us': about })
    expect(outcome).toEqual({
      kind: 'found',
      findings: {
        industry: 'Robotics, Agriculture',
        employee_count: '51-200',
        founded_year: 2015,
        headquarters: { address_formatted: '1 Market Street, Berlin, 10115, Germany', city: 'Berlin' },
        description: 'Acme builds robots that pick fruit & vegetables.',
        linkedIn: 'https://www.linkedin.com/company/acme-robotics',
      },
    })
    expect(asked).toEqual(['acme.example/', 'acme.example/about-us'])
  })

  it('is read at the address as typed', async () => {
    const { asked } = await ask({}, { website: 'http://www.acme.example/de?ref=1' })
    expect(asked).toEqual(['www.acme.example/de?ref=1'])
  })

  it('is read at the domain when no website is known', async () => {
    expect((await ask({}, { website: null })).lookedUp).toEqual(['acme.example'])
  })

  it('cannot be read when neither is known', async () => {
    expect(await ask({}, { website: null, domain: null })).toEqual({ outcome: undefined, asked: [], lookedUp: [] })
  })

  it.each(['linkedin.com/company/acme', 'www.crunchbase.com/organization/acme'])(
    'is never read at %s, which is not the site of the company',
    async (page) => {
      const answer = await ask({ [page]: saying('Acme') }, { website: `http://${page}`, domain: null })
      expect(answer).toEqual({ outcome: undefined, asked: [], lookedUp: [] })
    },
  )

  it('yields nothing from a site of profiles at the end of a redirect', async () => {
    const profile = { 'x.com/acme': saying('Acme on X') }
    expect(await ask({ 'acme.example/': redirectTo('http://x.com/acme'), ...profile })).toMatchObject(nothing)
  })

  it('may redirect to another site of the same company', async () => {
    const data = '{"@type":"Organization","url":"https://acme-robots.example","foundingDate":"2019"}'
    const moved = { 'acme-robots.example/': { body: `<script type="application/ld+json">${data}</script>` } }
    const { outcome } = await ask({ 'acme.example/': redirectTo('http://acme-robots.example/'), ...moved })
    expect(outcome).toEqual({ kind: 'found', findings: { founded_year: 2019 } })
  })

  it('yields the data of the front page when the page about the company cannot be read', async () => {
    const { outcome } = await ask({ 'acme.example/': home })
    expect(outcome).toMatchObject({ kind: 'found', findings: { founded_year: 2015 } })
  })

  it('is not read on another host for the page about the company', async () => {
    const elsewhere = { body: `${saying('Acme').body}<a href="https://other.example/about">About</a>` }
    expect((await ask({ 'acme.example/': elsewhere })).asked).toEqual(['acme.example/'])
  })

  it('is read on the front page only when that has every field', async () => {
    const data = JSON.stringify({
      ...{ '@type': 'Organization', industry: 'Robotics', numberOfEmployees: 83, foundingDate: '2015' },
      ...{ address: 'Berlin', description: 'Robots', sameAs: 'https://linkedin.com/company/acme' },
    })
    const page = { body: `<script type="application/ld+json">${data}</script><a href="/about">About</a>` }
    expect((await ask({ 'acme.example/': page })).asked).toEqual(['acme.example/'])
  })

  it('yields nothing from a page without data', async () => {
    expect(await ask({ 'acme.example/': { body: '<h1>Soon</h1>' } })).toMatchObject(nothing)
  })

  it('yields nothing from a response that is not a page', async () => {
    const file = { ...saying('Deck'), headers: { 'content-type': 'application/pdf' } }
    expect(await ask({ 'acme.example/': file })).toMatchObject(nothing)
  })

  it.each([403, 404, 429, 500, 503])(
    'fails without a cooldown for other companies when the site returns %s',
    async (status) => {
      expect((await ask({ 'acme.example/': { ...saying('Are you human?'), status } })).outcome).toMatchObject(
        unavailable,
      )
    },
  )

  it('fails when the page is too long', async () => {
    const page = { body: `${saying('Acme').body}${' '.repeat(2 * 1024 * 1024)}` }
    expect((await ask({ 'acme.example/': page })).outcome).toMatchObject(unavailable)
  })

  it('fails when the address is in our own network', async () => {
    expect((await ask({}, { website: 'http://127.0.0.1/' })).outcome).toMatchObject(unavailable)
  })

  it('stops loading with the signal', async () => {
    expect((await ask({ 'acme.example/': { ...home, isEndless: true } }, {}, 100)).outcome).toMatchObject(unavailable)
  })

  it.each([
    ['as the header says', 'text/html; charset=windows-1252', 'Caf\xe9', ''],
    ['as the page says', 'text/html', 'Caf\xe9', '<meta charset="iso-8859-1">'],
    [
      'as an old page says',
      'text/html',
      'Caf\xe9',
      '<meta http-equiv="content-type" content="text/html; charset=latin1">',
    ],
    ['as UTF-8 when undeclared', 'text/html', 'Caf\xc3\xa9', ''],
    ['as UTF-8 when the charset is unknown', 'text/html; charset=x-klingon', 'Caf\xc3\xa9', ''],
    ['by its byte order mark before all', 'text/html; charset=latin1', 'Caf\xc3\xa9', '\xef\xbb\xbf'],
  ])('reads letters %s', async (_, contentType, description, before) => {
    const body = Buffer.from(`${before}${saying(description).body}`, 'latin1')
    const { outcome } = await ask({ 'acme.example/': { body, headers: { 'content-type': contentType } } })
    expect(outcome).toMatchObject({ findings: { description: 'Café' } })
  })
})
