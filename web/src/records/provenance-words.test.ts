import { describe, expect, it } from 'vitest'
import { originsOf, providersOf } from './provenance-words.ts'

const NOON = '2026-11-18T12:00:00.000Z'
const LATER = '2026-11-20T12:00:00.000Z'
const labels = { current_title: 'title', current_company: 'company', linkedIn: 'LinkedIn' }

describe('The origins of enriched data', () => {
  it('group the fields that one provider gave at one time, in the order of their labels', () => {
    const harmonic = { provider: 'Harmonic', at: NOON }
    expect(originsOf({ current_company: harmonic, current_title: harmonic }, labels)).toEqual([
      { fields: 'Title, company', ...harmonic },
    ])
  })

  it('are newest first, grouped by provider and time', () => {
    const sources = {
      current_title: { provider: 'Harmonic', at: NOON },
      current_company: { provider: 'Apollo', at: NOON },
      linkedIn: { provider: 'Harmonic', at: LATER },
    }
    expect(originsOf(sources, labels)).toEqual([
      { fields: 'LinkedIn', provider: 'Harmonic', at: LATER },
      { fields: 'Title', provider: 'Harmonic', at: NOON },
      { fields: 'Company', provider: 'Apollo', at: NOON },
    ])
  })

  it('leave out fields without a label, which are not shown either', () => {
    expect(originsOf({ stage: { provider: 'Harmonic', at: NOON } }, labels)).toEqual([])
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

it('The source of imported values is an import', () => {
  const at = '2026-03-18T10:00:00.000Z'
  const sources = { email: { provider: 'import', at }, bio: { provider: 'Harmonic', at } }
  const origins = originsOf(sources, { email: 'email', bio: 'bio' })
  expect(providersOf(origins)).toBe('an import and Harmonic')
})
