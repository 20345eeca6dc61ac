import { describe, expect, it } from 'vitest'
import { data, read, script } from './fixtures/read.ts'

/** The findings with this as the company's organisation. */
const saying = (fields: object) => data({ '@type': 'Organization', ...fields })

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
    expect(await saying({ foundingDate })).toEqual({ founded_year: 2015 })
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

  it('are read where the organisation refers to them', async () => {
    const place = { '@type': 'PostalAddress', '@id': '#hq', addressLocality: 'Berlin' }
    expect(await data([{ '@type': 'Organization', address: { '@id': '#hq' } }, place])).toEqual({
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

  it('is not a code of a classification', async () => {
    expect(await saying({ naics: '333249' })).toEqual({})
  })
})

describe('The description', () => {
  const og = '<meta property="og:description" content="From OpenGraph">'
  const meta = '<META NAME="Description" CONTENT="From the head">'

  it('comes from the structured data, else from OpenGraph, else from the head', async () => {
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

  it('is cut when it is too long', async () => {
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
