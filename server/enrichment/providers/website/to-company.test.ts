import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CompanyEnrichment } from '#contract/company.ts'
import { readPage } from './read-page.ts'
import { toCompany } from './to-company.ts'

const URL = 'https://www.acme.example/'
const signal = new AbortController().signal

async function read(html: string) {
  const findings = toCompany([await readPage(html, URL, signal)], ['acme.example'])
  return Object.fromEntries(Object.entries(findings).filter(([, value]) => value !== undefined))
}

const script = (text: string) => `<script type="application/ld+json">${text}</script>`
const data = (...values: unknown[]) => read(values.map((value) => script(JSON.stringify(value))).join('\n'))
/** What is found when the company's organisation says this. */
const saying = (fields: object) => data({ '@type': 'Organization', ...fields })

const acme = { '@type': 'Organization', url: 'https://acme.example', foundingDate: '2015' }
const found = { founded_year: 2015 }

describe('Where a page keeps its data', () => {
  it.each<[string, unknown[]]>([
    ['an object', [acme]],
    ['an array', [[{ '@type': 'WebSite' }, acme]]],
    ['a graph', [{ '@context': 'https://schema.org', '@graph': [{ '@type': 'WebPage' }, acme] }]],
    ['a graph of one', [{ '@graph': acme }]],
    ['an array of graphs', [[{ '@graph': [] }, { '@graph': [acme] }]]],
    ['the main entity of a page', [{ '@type': 'AboutPage', mainEntity: acme }]],
    ['the publisher of a site', [{ '@type': 'WebSite', publisher: [acme] }]],
    ['what a page is about', [{ '@graph': [{ '@type': 'WebPage', about: acme }] }]],
    ['the second of two scripts', [{ '@type': 'BreadcrumbList' }, acme]],
    ['a type among several', [{ ...acme, '@type': ['Thing', 'Organization'] }]],
    ['a type with its address', [{ ...acme, '@type': 'https://schema.org/Organization' }]],
    ['a type with a prefix', [{ ...acme, '@type': 'schema:Corporation' }]],
    ['a kind of organisation', [{ ...acme, '@type': 'NewsMediaOrganization' }]],
    ['a kind of business', [{ ...acme, '@type': 'LocalBusiness' }]],
    ['a kind of store', [{ ...acme, '@type': 'OnlineStore' }]],
    ['a kind of service', [{ ...acme, '@type': 'ProfessionalService' }]],
    ['values with their language', [{ ...acme, foundingDate: [{ '@value': '2015', '@language': 'en' }] }]],
    ['a node that others refer to', [{ '@graph': [{ '@type': 'WebSite', publisher: { '@id': '#a' } }, acme] }]],
  ])('is read in %s', async (_, values) => {
    expect(await data(...values)).toEqual(found)
  })

  it.each([
    ['comment marks', (json: string) => `<!--\n${json}\n-->`],
    ['CDATA marks', (json: string) => `<![CDATA[${json}]]>`],
    ['CDATA marks in comments', (json: string) => `//<![CDATA[\n${json}\n//]]>`],
    ['the marks of old systems', (json: string) => `<!--//--><![CDATA[//><!--\n${json}\n//--><!]]>`],
    ['a semicolon at the end', (json: string) => `${json};`],
    ['line breaks in strings', (json: string) => json.replace('2015', '2015\n')],
  ])('may have %s', async (_, around) => {
    expect(await read(script(around(JSON.stringify(acme))))).toEqual(found)
    expect(await read(script(around(JSON.stringify([acme]))))).toEqual(found)
  })

  it('is read though another script is broken', async () => {
    expect(await read(script('{"@type": "Organization",') + script('') + script(JSON.stringify(acme)))).toEqual(found)
  })

  it('may be typed in any case and with parameters', async () => {
    const html = `<SCRIPT TYPE='Application/LD+JSON; charset=utf-8'>${JSON.stringify(acme)}</SCRIPT>`
    expect(await read(html)).toEqual(found)
  })

  it('is not read in other scripts, comments or text', async () => {
    const json = JSON.stringify(acme)
    expect(await read(`<script>${json}</script><!--${script(json)}--><textarea>${script(json)}</textarea>`)).toEqual({})
  })
})

describe('Which organisation of a page is the company', () => {
  const other = { '@type': 'Organization', url: 'https://customer.example', foundingDate: '1850' }
  const nameless = { '@type': 'Organization', foundingDate: '1999' }

  it.each<[string, unknown[]]>([
    ['the one at this address, not one that stands before it', [other, nameless, acme]],
    ['the whole, not a part of it', [{ ...acme, department: { ...acme, foundingDate: '2020' } }]],
    [
      'the company, not one of its places',
      [{ ...acme, url: 'https://acme.example/berlin', foundingDate: '2020' }, acme],
    ],
    ['one without an address when no other claims this one', [other, { ...nameless, foundingDate: '2015' }]],
    ['one that names its profile as its address', [{ ...acme, url: 'https://www.facebook.com/acme' }]],
    ['one with an address inside of the site', [{ ...acme, url: '/' }]],
    ['one with an address below or above the host', [{ ...acme, url: 'https://eu.acme.example/' }]],
    ['one known by its id', [{ '@type': 'Organization', '@id': 'https://acme.example/#org', foundingDate: '2015' }]],
    ['one that stands where it is not expected, by its address', [{ '@type': 'Product', manufacturer: acme }]],
  ])('is %s', async (_, values) => {
    expect(await data(...values)).toEqual(found)
  })

  it.each<[string, unknown]>([
    ['another company of the same name', { ...other, name: 'Acme' }],
    ['a reviewer', { '@type': 'Product', review: { author: nameless } }],
    ['a parent', { '@type': 'Organization', name: 'Acme', parentOrganization: nameless }],
    [
      'an event or a person',
      [
        { '@type': 'Event', foundingDate: '2015' },
        { '@type': 'Person', foundingDate: '2015' },
      ],
    ],
  ])('is not %s', async (_, value) => {
    expect(await data(value)).toEqual({})
  })

  it('is told of by all that stands at its address', async () => {
    expect(await data(acme, { ...acme, '@type': 'Corporation', foundingDate: '2001', address: 'Berlin' })).toEqual({
      ...found,
      headquarters: { address_formatted: 'Berlin' },
    })
  })
})

describe('The number of employees', () => {
  it.each<[string, unknown, unknown]>([
    ['a number', 83, 83],
    ['a text', '1,200', 1200],
    ['a range', '51-200', '51-200'],
    ['a quantity', { '@type': 'QuantitativeValue', value: 83 }, 83],
    ['a quantity of text', { value: '83' }, 83],
    ['a quantity with a range', { minValue: 51, maxValue: '200' }, '51-200'],
    ['a quantity with a least', { minValue: 51 }, '51+'],
    ['a list', [{ value: 83 }], 83],
  ])('is read from %s', async (_, numberOfEmployees, expected) => {
    expect(await saying({ numberOfEmployees })).toEqual({ employee_count: expected })
  })

  it.each([0, -3, 'many', true, null, {}, [], { minValue: 200, maxValue: 51 }])(
    'is not read from %j',
    async (value) => {
      expect(await saying({ numberOfEmployees: value })).toEqual({})
    },
  )
})

describe('The year of founding', () => {
  it.each(['2015', '2015-04-01', '2015-04-01T00:00:00Z', 2015])('is read from %j', async (foundingDate) => {
    expect(await saying({ foundingDate })).toEqual(found)
  })

  it.each(['long ago', 15, '3015', null, {}])('is not read from %j', async (foundingDate) => {
    expect(await saying({ foundingDate })).toEqual({})
  })
})

describe('The headquarters', () => {
  it.each<[string, unknown, unknown]>([
    ['a text', 'Berlin, Germany', { address_formatted: 'Berlin, Germany' }],
    ['a city', { addressLocality: 'Berlin' }, { address_formatted: 'Berlin', city: 'Berlin' }],
    ['a country with a name', { addressCountry: { name: 'Germany' } }, { address_formatted: 'Germany' }],
    [
      'the first of several',
      [{ postalCode: 10115, addressLocality: 'Berlin' }, 'Rome'],
      { address_formatted: 'Berlin, 10115', city: 'Berlin' },
    ],
  ])('are read from %s', async (_, address, expected) => {
    expect(await saying({ address })).toEqual({ headquarters: expected })
    expect(await saying({ location: { '@type': 'Place', address } })).toEqual({ headquarters: expected })
  })

  it('are read where the organisation only refers to them', async () => {
    const place = { '@type': 'PostalAddress', '@id': '#hq', addressLocality: 'Berlin' }
    expect(await data([{ ...acme, address: { '@id': '#hq' } }, place])).toEqual({
      ...found,
      headquarters: { address_formatted: 'Berlin', city: 'Berlin' },
    })
  })
})

describe('The industry', () => {
  it.each<[unknown, string]>([
    [{ industry: 'Robotics', knowsAbout: 'Cats' }, 'Robotics'],
    [{ knowsAbout: 'Robotics' }, 'Robotics'],
    [{ knowsAbout: [{ '@type': 'Thing', name: 'Robotics' }, 'Fruit', 'Tea', 'Cats'] }, 'Robotics, Fruit, Tea'],
    [{ knowsAbout: ['https://en.wikipedia.org/wiki/Robotics', 'Robotics'] }, 'Robotics'],
  ])('is read from %j', async (fields, industry) => {
    expect(await saying(fields as object)).toEqual({ industry })
  })

  it('is not a number of a nomenclature', async () => {
    expect(await saying({ naics: '333249' })).toEqual({})
  })
})

describe('The description', () => {
  const og = '<meta property="og:description" content="From OpenGraph">'
  const meta = '<META NAME="Description" CONTENT="From the head">'

  it('is what the data says, else what OpenGraph says, else what the head says', async () => {
    const organisation = script(JSON.stringify({ '@type': 'Organization', description: 'From the data' }))
    expect(await read(meta + og + organisation)).toEqual({ description: 'From the data' })
    expect(await read(meta + og)).toEqual({ description: 'From OpenGraph' })
    expect(await read(meta)).toEqual({ description: 'From the head' })
  })

  it.each([
    ['without tags', '<p>Robots</p><p>that <b>pick</b></p>', 'Robots that pick'],
    ['with entities decoded', 'Fruit &amp; vegetables &lt;3', 'Fruit & vegetables <3'],
    ['on one line', '  Robots\n\n that\tpick ', 'Robots that pick'],
    ['as it is where a sign only looks like a tag', 'We <3 R&D, 5 < 6', 'We <3 R&D, 5 < 6'],
  ])('is text %s', async (_, description, expected) => {
    expect(await saying({ description })).toEqual({ description: expected })
  })

  it('is cut where it is too long', async () => {
    const { description } = await saying({ description: 'Robots. '.repeat(10_000) })
    expect(description).toHaveLength(1999)
  })
})

describe('The page on LinkedIn', () => {
  const link = (slug: string) => `<a href="https://de.linkedin.com/company/${slug}/?trk=x">in</a>`
  const page = { linkedIn: 'https://www.linkedin.com/company/acme' }

  it('is among the addresses of the organisation', async () => {
    expect(await saying({ sameAs: ['https://linkedin.com/in/ada', 'http://linkedin.com/company/Acme/'] })).toEqual(page)
    expect(await saying({ sameAs: 'https://linkedin.com/company/acme' })).toEqual(page)
  })

  it('is the one company that the page links to', async () => {
    expect(await read(link('acme') + link('Acme'))).toEqual(page)
  })

  it('is unknown when the page links to several', async () => {
    expect(await read(link('acme') + link('investor'))).toEqual({})
  })
})

describe('Any page', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.array(tie('value'), { maxLength: 3 }), tie('node')),
    node: fc.record(
      {
        '@type': fc.constantFrom<unknown>('Organization', ['Corporation'], 'WebSite', 7, null),
        '@id': fc.constantFrom<unknown>('#a', 'https://acme.example/#b', 3),
        '@graph': tie('value'),
        '@value': tie('value'),
        url: tie('value'),
        publisher: tie('value'),
        name: tie('value'),
        description: fc.oneof(fc.string({ unit: 'binary' }), tie('value')),
        industry: tie('value'),
        knowsAbout: tie('value'),
        numberOfEmployees: fc.oneof(
          fc.double(),
          fc.record({ value: tie('value'), minValue: fc.integer() }),
          tie('value'),
        ),
        foundingDate: fc.oneof(fc.integer(), fc.date().map(String), tie('value')),
        address: fc.oneof(fc.record({ addressLocality: tie('value'), addressCountry: tie('value') }), tie('value')),
        sameAs: fc.oneof(fc.constant('https://linkedin.com/company/%f0%9f'), tie('value')),
      },
      { requiredKeys: [] },
    ),
  }))
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '<script type="application/ld+json">',
      '</script>',
      '<!--',
      '<meta name=description content="',
      '<a href=',
    ),
    json.value.map((value) => script(JSON.stringify(value))),
    fc.string().map((address) => `<a href="//linkedin.com/company/${address}">`),
  )

  it('gives nothing but what the contract accepts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const { linkedIn, ...findings } = await read(pieces.join(''))
        expect(CompanyEnrichment.strict().parse(findings)).toEqual(findings)
        if (linkedIn !== undefined) expect(linkedIn).toMatch(/^https:\/\/www\.linkedin\.com\/company\/[^/]+$/)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['nested tags', '<b>'.repeat(666_666)],
    ['nested data', script('{"a":['.repeat(20_000))],
    ['links', '<a href=/about>'.repeat(133_333)],
    ['one tag', `<a ${'b=c '.repeat(500_000)}>`],
  ])('of two megabytes of %s holds nobody up', async (_, html) => {
    let longest = 0
    let last = process.threadCpuUsage().user
    const beat = setInterval(() => {
      const now = process.threadCpuUsage().user
      longest = Math.max(longest, now - last)
      last = now
    })
    expect(await read(html)).toEqual({})
    clearInterval(beat)
    // Microseconds of work in one go: tenfold what it takes here, and a thousandth of what a stack of tags would.
    expect(longest).toBeLessThan(300_000)
  })
})
