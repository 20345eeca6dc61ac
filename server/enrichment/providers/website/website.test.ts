import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CompanySubject } from '#server/enrichment/provider.ts'
import type { GuardedClient } from '#server/outside/guarded-client.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { website } from './website.ts'

type Site = Record<string, { body?: string | Buffer; status?: number; contentType?: string; url?: string }>

const fixture = (name: string) => ({ body: readFileSync(new URL(`./fixtures/${name}`, import.meta.url)) })
const home = fixture('home.html')
const about = fixture('about.html')

const acme: CompanySubject = {
  name: 'Acme Robotics',
  domain: 'acme.example',
  website: 'https://acme.example/',
  linkedIn: null,
  github: null,
}

/** Asks of a site that has these pages and no others. */
async function ask(site: Site, subject: Partial<CompanySubject> = {}, signal = new AbortController().signal) {
  const asked: string[] = []
  const outside: GuardedClient = {
    async get(url, { signal }) {
      asked.push(url)
      const page = site[url]
      if (!page || signal?.aborted) throw new Error('refused')
      const { body = '', status = 200, contentType = 'text/html; charset=utf-8' } = page
      return { url: page.url ?? url, status, contentType, body: Buffer.from(body) }
    },
  }
  const provider = website.open({ baseUrl: '', key: '', outside, log: quietLog })
  return { outcome: await provider.askCompany?.({ ...acme, ...subject }, signal), asked }
}

const saying = (description: string) => ({ body: `<meta name="description" content="${description}">` })
const unavailable = { kind: 'failed', reason: 'unavailable', isRetryable: false }

describe('Asking the website of a company', () => {
  it('finds what the front page and the page about the company say', async () => {
    const { outcome, asked } = await ask({ 'https://acme.example/': home, 'https://acme.example/about-us': about })
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
    expect(asked).toEqual(['https://acme.example/', 'https://acme.example/about-us'])
  })

  it('reads the address as it was typed', async () => {
    const { asked } = await ask({}, { website: 'http://www.acme.example/de?ref=1' })
    expect(asked).toEqual(['http://www.acme.example/de?ref=1'])
  })

  it('reads the front page of the domain when no website is known', async () => {
    const { outcome } = await ask({ 'https://acme.example': saying('Robots') }, { website: null })
    expect(outcome).toEqual({ kind: 'found', findings: { description: 'Robots' } })
  })

  it('asks nothing when neither is known', async () => {
    expect(await ask({}, { website: null, domain: null })).toEqual({ outcome: { kind: 'not-found' }, asked: [] })
  })

  it.each(['https://www.linkedin.com/company/acme', 'https://www.crunchbase.com/organization/acme'])(
    'never reads %s, which is not the site of the company',
    async (website) => {
      const { outcome, asked } = await ask({ [website]: saying('Acme') }, { website, domain: null })
      expect({ outcome, asked }).toEqual({ outcome: { kind: 'not-found' }, asked: [] })
    },
  )

  it('believes nothing that a page of profiles says at the end of a redirect', async () => {
    const page = { ...saying('Acme on LinkedIn'), url: 'https://www.linkedin.com/company/acme' }
    expect((await ask({ 'https://acme.example/': page })).outcome).toEqual({ kind: 'not-found' })
  })

  it('takes the site that a redirect leads to as the same company', async () => {
    const data = '{"@type":"Organization","url":"https://acme-robots.example","foundingDate":"2019"}'
    const page = { body: `<script type="application/ld+json">${data}</script>`, url: 'https://acme-robots.example/' }
    expect((await ask({ 'https://acme.example/': page })).outcome).toMatchObject({ findings: { founded_year: 2019 } })
  })

  it('keeps what the front page says when the page about the company cannot be read', async () => {
    const { outcome } = await ask({ 'https://acme.example/': home })
    expect(outcome).toMatchObject({ kind: 'found', findings: { founded_year: 2015 } })
  })

  it('reads no page about the company on another host', async () => {
    const elsewhere = { body: `${saying('Acme').body}<a href="https://other.example/about">About</a>` }
    expect((await ask({ 'https://acme.example/': elsewhere })).asked).toEqual(['https://acme.example/'])
  })

  it('reads the front page only when that says everything', async () => {
    const data = JSON.stringify({
      ...{ '@type': 'Organization', industry: 'Robotics', numberOfEmployees: 83, foundingDate: '2015' },
      ...{ address: 'Berlin', description: 'Robots', sameAs: 'https://linkedin.com/company/acme' },
    })
    const page = { body: `<script type="application/ld+json">${data}</script><a href="/about">About</a>` }
    expect((await ask({ 'https://acme.example/': page })).asked).toEqual(['https://acme.example/'])
  })

  it('finds nothing on a page that says nothing', async () => {
    expect((await ask({ 'https://acme.example/': { body: '<h1>Soon</h1>' } })).outcome).toEqual({ kind: 'not-found' })
  })

  it.each([404, 410])('finds nothing where there is no page: %s', async (status) => {
    const page = { ...saying('Not here'), status }
    expect((await ask({ 'https://acme.example/': page })).outcome).toEqual({ kind: 'not-found' })
  })

  it('finds nothing in what is no page', async () => {
    const file = { ...saying('Deck'), contentType: 'application/pdf' }
    expect((await ask({ 'https://acme.example/': file })).outcome).toEqual({ kind: 'not-found' })
  })

  it.each([403, 429, 500, 503])(
    'fails for now when the site answers %s, and rests for no other company',
    async (status) => {
      const page = { ...saying('Are you human?'), status }
      expect((await ask({ 'https://acme.example/': page })).outcome).toMatchObject(unavailable)
    },
  )

  it('fails for now when the site is refused, or cannot be reached', async () => {
    expect((await ask({})).outcome).toMatchObject(unavailable)
  })

  it('ends with the signal', async () => {
    const { outcome } = await ask({ 'https://acme.example/': home }, {}, AbortSignal.abort())
    expect(outcome).toMatchObject(unavailable)
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
    ['as UTF-8 when nobody says', 'text/html', 'Caf\xc3\xa9', ''],
    ['as UTF-8 when the charset is unknown', 'text/html; charset=x-klingon', 'Caf\xc3\xa9', ''],
    ['by its byte order mark before all', 'text/html; charset=latin1', 'Caf\xc3\xa9', '\xef\xbb\xbf'],
  ])('reads letters %s', async (_, contentType, description, before) => {
    const body = Buffer.from(`${before}${saying(description).body}`, 'latin1')
    const { outcome } = await ask({ 'https://acme.example/': { body, contentType } })
    expect(outcome).toMatchObject({ findings: { description: 'Café' } })
  })
})
