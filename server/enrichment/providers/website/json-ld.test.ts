import { describe, expect, it } from 'vitest'
import { data, read, script } from './fixtures/read.ts'

const acme = { '@type': 'Organization', url: 'https://acme.example', foundingDate: '2015' }
const found = { founded_year: 2015 }

describe('The JSON-LD of a page', () => {
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

  it('is read although another script is invalid', async () => {
    expect(await read(script('{"@type": "Organization",') + script('') + script(JSON.stringify(acme)))).toEqual(found)
  })

  it('may have a type in any case and with parameters', async () => {
    const html = `<SCRIPT TYPE='Application/LD+JSON; charset=utf-8'>${JSON.stringify(acme)}</SCRIPT>`
    expect(await read(html)).toEqual(found)
  })

  it('is not read in other scripts, comments or text', async () => {
    const json = JSON.stringify(acme)
    expect(await read(`<script>${json}</script><!--${script(json)}--><textarea>${script(json)}</textarea>`)).toEqual({})
  })
})

describe('The company among the organisations of a page', () => {
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

  it('includes all nodes at its address', async () => {
    expect(await data(acme, { ...acme, '@type': 'Corporation', foundingDate: '2001', address: 'Berlin' })).toEqual({
      ...found,
      headquarters: { address_formatted: 'Berlin' },
    })
  })
})
