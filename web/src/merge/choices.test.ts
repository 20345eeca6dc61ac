import { describe, expect, it } from 'vitest'
import type { RecordRow } from '#web/records/record-row.ts'
import { differingFields, valueIn } from '#web/records/record-values.ts'
import { bothInOrder, canChoose, choicesOnWire, fitTogether, mergedRecord, proposedChoices } from './choices.ts'

const record = (overrides: object): RecordRow =>
  ({
    ...{
      id: '1',
      name: 'Ada',
      linkedIn: '',
      notes: 'Met.',
      rating: 5,
      isRated: true,
      createdBy: 'Grace',
      createdAt: '2026-01-01T00:00:00Z',
    },
    ...{ additionalInfo: null, enrichment: { sources: {} }, notesCount: 0, notesPreview: [], version: 1 },
    ...overrides,
  }) as unknown as RecordRow

const labels = { current_title: 'title', website: 'website' }

const both = bothInOrder(
  record({
    ...{
      id: '2',
      name: 'Ada L.',
      linkedIn: 'https://linkedin.com/in/ada',
      notes: 'Met again.',
      rating: 8,
      createdBy: 'Tom',
    },
    ...{ createdAt: '2026-02-01T00:00:00Z', notesCount: 3 },
    additionalInfo: JSON.stringify({ current_title: 'CTO', website: 'https://ada.example' }),
  }),
  record({ additionalInfo: JSON.stringify({ current_title: 'Engineer' }), notesCount: 1 }),
)

describe('Two records in a merge', () => {
  it('are in the order in which they were found', () => {
    expect([both.first.id, both.second.id]).toEqual(['1', '2'])
  })

  it('differ in fields with two different values', () => {
    expect(differingFields(both.first, both.second, labels)).toEqual(['name', 'current_title', 'rating', 'notes'])
    expect(valueIn(record({ additionalInfo: '{"headquarters":{"city":"Galway"}}' }), 'headquarters')).toBe('Galway')
  })

  it('start with the fuller text, else the value of the one found first, and with both notes if they fit', () => {
    const fields = ['name', 'current_title', 'rating', 'notes']
    const proposed = { name: 'second', current_title: 'first', rating: 'first', notes: 'both' }
    expect(proposedChoices(both, fields)).toEqual(proposed)
    const long = { first: record({ notes: 'a'.repeat(6000) }), second: record({ notes: 'b'.repeat(6000) }) }
    expect(fitTogether(long)).toBe(false)
    expect(proposedChoices(long, ['notes'])).toEqual({ notes: 'first' })
  })

  it('leave no choice to a fellow who may not edit both', () => {
    const [mine, other] = [record({ can: { edit: true } }), record({ can: { edit: false } })]
    expect([mine, other].map((second) => canChoose({ first: mine, second }))).toEqual([true, false])
  })

  it('become one with the chosen values, and with values that only one of them has', () => {
    const choices = { name: 'second', current_title: 'first', rating: 'second', notes: 'both' } as const
    for (const survivor of ['first', 'second'] as const) {
      const merged = mergedRecord(both, survivor, choices)
      expect(merged).toMatchObject({
        id: both[survivor].id,
        name: 'Ada L.',
        rating: 8,
        notesCount: 4,
        createdBy: 'Grace',
      })
      expect(merged).toMatchObject({ linkedIn: 'https://linkedin.com/in/ada', createdAt: '2026-01-01T00:00:00Z' })
      expect(JSON.parse(merged.additionalInfo ?? '')).toEqual({
        current_title: 'Engineer',
        website: 'https://ada.example',
      })
    }
    expect(mergedRecord(both, 'first', choices).notes).toBe('Met.\n\nMet again.')
    expect(mergedRecord(both, 'second', choices).notes).toBe('Met again.\n\nMet.')
  })

  it('are named in the call as survivor and duplicate', () => {
    const choices = { name: 'second', rating: 'first', notes: 'both' } as const
    expect(choicesOnWire(choices, 'first')).toEqual({ name: 'duplicate', rating: 'survivor', notes: 'both' })
    expect(choicesOnWire(choices, 'second')).toEqual({ name: 'survivor', rating: 'duplicate', notes: 'both' })
  })
})

describe('A record without a rating', () => {
  const unrated = record({ id: '3', isRated: false, createdAt: '2025-12-01T00:00:00Z' })

  it('has nothing to choose, and takes the rating of the other one', () => {
    const pair = bothInOrder(unrated, record({ rating: 8 }))
    expect(differingFields(pair.first, pair.second, labels)).not.toContain('rating')
    expect(mergedRecord(pair, 'first', {})).toMatchObject({ rating: 8, isRated: true })
  })

  it('stays without one when the other has none either', () => {
    const pair = bothInOrder(unrated, record({ isRated: false }))
    expect(mergedRecord(pair, 'first', {})).toMatchObject({ rating: 5, isRated: false })
  })
})
