import { describe, expect, it } from 'vitest'
import { fillChoices, fillsOf, lackOf, mappingOf, restsOf, withFill } from './column-mapping.ts'

describe('The fields of the columns of a file', () => {
  it.each([
    [{ name: 0, rating: 2 }, ['name', '', 'rating']],
    [{ name: [2, 0] as [number, number], notes: 1 }, ['lastName', 'notes', 'firstName']],
    [{}, ['', '', '']],
  ])('of the mapping %j are %j, and give it back', (mapping, fills) => {
    const columns = ['A', 'B', 'C']
    expect(fillsOf({ columns, mapping })).toEqual(fills)
    expect(mappingOf('founder', fillsOf({ columns, mapping }))).toEqual(mapping)
  })

  it('have the name in one column where only one of its parts is chosen', () => {
    expect(mappingOf('founder', ['', 'lastName'])).toEqual({ name: 1 })
    expect(mappingOf('founder', ['firstName', ''])).toEqual({ name: 0 })
    expect(mappingOf('note', ['lastName', 'text', 'firstName'])).toEqual({ record: [2, 0], text: 1 })
  })

  it('each have one column: a choice takes the field from the column that had it', () => {
    expect(withFill(['name', 'notes', ''], 2, 'notes')).toEqual(['name', '', 'notes'])
    expect(withFill(['name', '', ''], 1, 'firstName')).toEqual(['', 'firstName', ''])
    expect(withFill(['firstName', 'lastName', ''], 2, 'name')).toEqual(['', '', 'name'])
    expect(withFill(['firstName', 'lastName', ''], 2, 'lastName')).toEqual(['firstName', '', 'lastName'])
    expect(withFill(['name', '', ''], 0, '')).toEqual(['', '', ''])
  })

  it('lack what the kind needs', () => {
    expect(lackOf('founder', { notes: 0 })).toBe('Choose the column that holds the names.')
    expect(lackOf('founder', { name: 0 })).toBeUndefined()
    expect(lackOf('note', { record: 0 })).toBe('Choose the column that holds the texts.')
    expect(lackOf('note', { text: 0 })).toBe('Choose the column that holds the names or addresses of the records.')
    expect(lackOf('note', { text: 0, address: 1 })).toBeUndefined()
  })

  it('leave a treatment to every other column, which is to keep it in notes where none was chosen', () => {
    expect(restsOf(['name', '', ''], { '0': 'drop', '1': 'drop' })).toEqual({ '1': 'drop', '2': 'notes' })
  })

  it('include the parts of a name for founders alone', () => {
    const labels = (kind: 'founder' | 'company') => fillChoices(kind).map(({ label }) => label)
    expect(labels('founder')).toEqual(
      expect.arrayContaining(['No field', 'Name', 'First name', 'Last name', 'Company']),
    )
    expect(labels('company')).not.toContain('First name')
    expect(labels('company')).toContain('Industry')
  })
})
