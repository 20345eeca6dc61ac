import { describe, expect, it } from 'vitest'
import { allRecords, mayMove, myRecords, orderOf, parametersOf, queryIn } from './record-query.ts'

describe('The query of a list', () => {
  it('is read from the address of its screen', () => {
    expect(queryIn(new URLSearchParams('search=%20Ada%20&show=founders'), myRecords)).toEqual({
      filters: { mine: 'true' },
      search: 'Ada',
      sort: 'newest',
    })
    expect(queryIn(new URLSearchParams(`search=${'🦊'.repeat(300)}`), allRecords).search).toBe('🦊'.repeat(200))
  })

  it('becomes the parameters of the calls', () => {
    expect(parametersOf(allRecords)).toEqual({})
    expect(parametersOf({ ...myRecords, search: 'Ada' })).toEqual({ mine: 'true', search: 'Ada' })
  })

  it('orders the rows', () => {
    const rows = [1, 3, 2].map((day) => ({ id: `${day}`, createdAt: `2026-03-0${day}T00:00:00.000Z` }))
    expect(rows.sort(orderOf(allRecords)).map(({ id }) => id)).toEqual(['3', '2', '1'])
  })
})

describe('A change of a record may move it in a list', () => {
  it.each([
    ['created', true, true],
    ['updated', false, false],
    ['deleted', false, false],
    ['notes', false, true],
    ['merged', false, true],
    ['finders', false, true],
  ] as const)('%s: of all records %s, of My Records %s', (change, ofAll, ofMine) => {
    for (const search of ['', 'Ada']) {
      expect(mayMove(change)({ ...allRecords, search })).toBe(ofAll)
      expect(mayMove('updated', change)({ ...myRecords, search })).toBe(ofMine)
    }
  })

  it('not without a change', () => {
    expect(mayMove()(myRecords)).toBe(false)
  })
})
