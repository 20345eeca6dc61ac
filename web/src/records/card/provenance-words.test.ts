import { describe, expect, it } from 'vitest'
import { companyFields } from '#contract/company-fields.ts'
import { founderFields } from '#contract/founder-fields.ts'
import { originsOf, providersOf } from './provenance-words.ts'

const NOON = '2026-11-18T12:00:00.000Z'
const LATER = '2026-11-20T12:00:00.000Z'

describe('The origins of enriched data', () => {
  it('group the fields that one provider gave at one time, in the order of the declaration', () => {
    const harmonic = { provider: 'Harmonic', at: NOON }
    expect(originsOf({ current_company: harmonic, current_title: harmonic }, founderFields)).toEqual([
      { fields: 'Title, company', ...harmonic },
    ])
  })

  it('are newest first, grouped by provider and time', () => {
    const sources = {
      industry: { provider: 'Harmonic', at: NOON },
      headquarters: { provider: 'Apollo', at: NOON },
      linkedIn: { provider: 'Harmonic', at: LATER },
    }
    expect(originsOf(sources, companyFields)).toEqual([
      { fields: 'LinkedIn', provider: 'Harmonic', at: LATER },
      { fields: 'Industry', provider: 'Harmonic', at: NOON },
      { fields: 'Headquarters', provider: 'Apollo', at: NOON },
    ])
  })

  it('leave out fields that are not declared, which are not shown either', () => {
    expect(originsOf({ stage: { provider: 'Harmonic', at: NOON } }, founderFields)).toEqual([])
  })
})

describe('The providers of a line', () => {
  it.each([
    [['Harmonic'], 'Harmonic'],
    [['Harmonic', 'Harmonic'], 'Harmonic'],
    [['Harmonic', 'the company website'], 'Harmonic and the company website'],
    [['Harmonic', 'Apollo', 'Harmonic', 'GitHub'], 'Harmonic and 2 others'],
  ])('%j are named as %s', (providers, words) => {
    expect(providersOf(providers.map((provider) => ({ provider })))).toBe(words)
  })
})

it('The source of imported values is an import, and of corrected ones a fellow', () => {
  const at = '2026-03-18T10:00:00.000Z'
  const later = '2026-03-18T11:00:00.000Z'
  const sources = {
    ...{ email: { provider: 'import', at }, bio: { provider: 'Harmonic', at } },
    current_title: { provider: 'person', at: later },
  }
  const origins = originsOf(sources, founderFields)
  expect(providersOf(origins.slice(1))).toBe('Harmonic and an import')
  expect(origins[0]).toEqual({ fields: 'Title', provider: 'a fellow', at: later })
})
