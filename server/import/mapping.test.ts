import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ImportField } from '#contract/import.ts'
import type { KindName } from '#contract/kinds.ts'
import { completeAddress } from '#contract/plain-text.ts'
import { readAll } from './files/test/read-all.ts'
import { firstAddress, guessKind, guessMapping } from './mapping.ts'
import { textsOf } from './values.ts'

const FIXTURES = new URL('./files/fixtures/', import.meta.url)

const ada = { name: 'Ada Lovelace', linkedIn: 'https://www.linkedin.com/in/ada-lovelace-example' }
const engines = {
  name: 'Analytical Engines',
  website: 'https://engines.example',
  description: 'Mechanical computers',
  linkedIn: 'https://www.linkedin.com/company/engines-example',
}

/** The fields from the first row of each file. */
const expected: Record<string, [KindName, Partial<Record<ImportField, string>>]> = {
  'linkedin-connections.csv': ['founder', ada],
  'affinity-people.csv': ['founder', { ...ada, notes: 'Introduced by Charles', createdAt: '2024-03-05' }],
  'affinity-organizations.csv': ['company', { ...engines, createdAt: '2024-03-05' }],
  'attio-people.csv': ['founder', { ...ada, createdAt: '2024-03-05T14:30:00.000000000Z', createdBy: 'Tom Baker' }],
  'attio-companies.csv': [
    'company',
    { ...engines, createdAt: '2024-03-05T14:30:00.000000000Z', createdBy: 'Tom Baker' },
  ],
  'folk-people.csv': ['founder', ada],
  'hubspot-contacts.csv': ['founder', { ...ada, createdAt: '2024-03-05 14:30' }],
  'hubspot-companies.csv': ['company', { ...engines, createdAt: '2024-03-05 14:30' }],
  'airtable.csv': [
    'company',
    {
      name: 'Analytical Engines',
      website: 'https://engines.example',
      notes: 'Met at the fair.\n\nWants "a second call".',
      rating: '8',
      createdAt: '2024-03-05 2:30pm',
      createdBy: 'Tom Baker',
    },
  ],
  'notion.csv': [
    'founder',
    {
      ...ada,
      notes: 'First line\nsecond line',
      rating: '8',
      createdAt: 'March 5, 2024 2:30 PM',
      createdBy: 'Tom Baker',
    },
  ],
}

describe('the exports of other products are mapped automatically', () => {
  it.each(readdirSync(FIXTURES).filter((name) => name.endsWith('.csv')))('%s', async (name) => {
    const { columns, rows, errors } = await readAll(readFileSync(new URL(name, FIXTURES)))
    expect(errors.filter(Boolean)).toEqual([])
    const kind = guessKind(columns, name)
    const { website, ...texts } = textsOf({ mapping: guessMapping(kind, columns) }, rows[0]?.values ?? [])
    expect([kind, { ...texts, ...(website && { website: completeAddress(firstAddress(website)) }) }]).toEqual(
      expected[name],
    )
  })

  it('and so is our own', () => {
    const columns = ['name', 'linkedIn', 'website', 'description', 'notes', 'rating', 'createdBy', 'createdAt', 'stage']
    expect(guessKind(columns, 'sourcebook-companies-2026-11-23.csv')).toBe('company')
    expect(guessKind(columns, 'sourcebook-founders-2026-11-23.jsonl')).toBe('founder')
    expect(guessMapping('company', columns)).toEqual(
      Object.fromEntries(columns.slice(0, 8).map((field, at) => [field, at])),
    )
    expect(guessMapping('founder', columns)).toEqual({
      name: 0,
      linkedIn: 1,
      notes: 4,
      rating: 5,
      createdBy: 6,
      createdAt: 7,
    })
  })
})

describe('the mapping of a file', () => {
  it('ignores case, accents and punctuation, and leaves out unknown columns', () => {
    expect(guessMapping('company', ['Ümsatz', 'COMPANY_NAME', 'Web-Site', 'créated AT'])).toEqual({
      name: 1,
      website: 2,
      createdAt: 3,
    })
    expect(guessMapping('founder', ['a', 'b'])).toEqual({})
  })

  it('prefers a full name over first and last name, and these over a column that may hold an id', () => {
    expect(guessMapping('founder', ['First name', 'Last name', 'Full name']).name).toBe(2)
    expect(guessMapping('founder', ['Record', 'First name', 'Last name']).name).toEqual([1, 2])
    expect(guessMapping('founder', ['Record', 'First name']).name).toBe(0)
  })
})

describe('several addresses in one value', () => {
  it.each([
    ['acme.com', 'acme.com'],
    ['acme.com, acme.io', 'acme.com'],
    ['acme.com,acme.io', 'acme.com'],
    ['https://a.example/x,y; https://b.example', 'https://a.example/x,y'],
    ['', ''],
  ])('are the first: %j', (text, first) => {
    expect(firstAddress(text)).toBe(first)
  })
})
