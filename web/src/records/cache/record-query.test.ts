import { describe, expect, it } from 'vitest'
import { CompanyListQuery } from '#contract/company.ts'
import { type Change, type FilterName, filters, filtersOf, type ParameterName } from '#contract/filters.ts'
import { FounderListQuery } from '#contract/founder.ts'
import { sortNames } from '#contract/record.ts'
import { kinds } from '#web/kinds.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import {
  allRecords,
  filtersIn,
  mayMove,
  myRecords,
  offeredParameters,
  orderOf,
  parametersOf,
  queryIn,
  type RecordQuery,
} from './record-query.ts'

const CONTRACTS = { founder: FounderListQuery, company: CompanyListQuery }
const ID = '01900000-0000-7000-8000-00000000abcd'
const RATING = { values: ['1', '10'], others: ['0', '11', '05', '1.5', '-1', '٣', 'x'] }
const DAY = {
  values: ['2026-02-28', '2024-02-29', '0001-01-01', '9999-12-31'],
  others: ['2026-02-30', '2025-02-29', '2026-13-01', '2026-1-1', '0000-01-01', '2026-01-01T00:00:00Z', 'x'],
}
const TEXT = { values: ['Water', 'é', 'a'.repeat(200)], others: ['a\0', 'a'.repeat(201)] }
const ONE = { values: [ID, ID.toUpperCase()], others: ['x', `${ID}0`, 'none'] }
const ONE_OR_NONE = { values: [...ONE.values, 'none'], others: ['x', `${ID}0`, 'None'] }
const FLAG = { values: ['true', 'false'], others: ['TRUE', 'yes', '1'] }

/** Values of each parameter in an address. One without an entry does not compile. */
const VALUES: Record<Exclude<ParameterName, 'linkedIn' | 'website'>, { values: string[]; others: string[] }> = {
  ...{ mine: FLAG, ratingMin: RATING, ratingMax: RATING, addedAfter: DAY, addedBefore: DAY, hasNotes: FLAG },
  quietSince: DAY,
  ...{ industry: TEXT, place: TEXT, by: ONE, tag: ONE, reached: ONE },
  ...{ stage: ONE_OR_NONE, responsible: ONE_OR_NONE },
  status: { values: ['active', 'on_hold', 'passed', 'advanced'], others: ['Active', 'onhold', 'none', 'x'] },
  next: { values: ['due', 'late'], others: ['Due', 'soon', 'none'] },
  opinion: { values: ['missing'], others: ['given', 'true'] },
  quality: { values: ['unmatched', 'unnoted', 'duplicate', 'overdue'], others: ['none', 'Overdue'] },
  cohort: {
    values: [`WyJhZGRlZCIsMSwyXQ.${'a'.repeat(43)}`],
    others: ['x', 'WyJhZGRlZCIsMSwyXQ', '!'.repeat(60), `${'a'.repeat(201)}.${'a'.repeat(43)}`],
  },
}

const CHANGES: Change[] = ['created', 'updated', 'deleted', 'notes', 'merged', 'finders', 'pipeline', 'tags']

/** The changes that bring a record into a list or out of it, or move it, besides a new one. */
const MOVED_BY: Record<FilterName, Change[]> = {
  ...{ mine: ['notes', 'merged', 'finders'], by: ['updated', 'merged', 'finders'] },
  ...{ rating: ['updated', 'merged'], added: ['merged'], hasNotes: ['notes', 'merged'] },
  ...{ industry: ['updated', 'merged'], place: ['updated', 'merged'], tag: ['tags', 'merged'] },
  ...{ stage: ['pipeline', 'merged'], status: ['pipeline', 'merged'], reached: ['pipeline', 'merged'] },
  ...{ responsible: ['pipeline', 'merged'], next: ['pipeline', 'merged'] },
  ...{ opinion: ['updated', 'merged'], cohort: ['updated', 'notes', 'pipeline', 'merged'] },
  ...{
    quality: ['updated', 'notes', 'pipeline', 'merged'],
    quietSince: ['updated', 'notes', 'pipeline', 'tags', 'finders', 'merged'],
    linkedIn: ['updated', 'merged'],
    website: ['updated', 'merged'],
  },
}
const SORTED_BY: Record<RecordQuery['sort'], Change[]> = {
  ...{ newest: [], rating: ['updated', 'merged'], lastNote: ['notes', 'merged'], stageAge: ['pipeline', 'merged'] },
}
const BELOW: Record<NonNullable<RecordQuery['in']>, Change[]> = { mentions: ['notes', 'merged'], similar: ['merged'] }

const addressOf = (parameters: Record<string, string>) => new URLSearchParams(parameters)

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
    expect(parametersOf({ ...allRecords, search: 'Ada', sort: 'rating', in: 'similar' })).toEqual({
      ...{ search: 'Ada', sort: 'rating', in: 'similar' },
    })
  })

  it.each(kinds.flatMap((kind) => offeredParameters(kind).map(([name]) => [name, kind] as const)))(
    'has the time zone of the viewer where the filter %s stands for days',
    (name, kind) => {
      const { values } = VALUES[name as keyof typeof VALUES]
      const parameters = parametersOf(queryIn(addressOf({ [name]: values[0] as string }), allRecords, kind))
      const hasDays = ['addedAfter', 'addedBefore', 'quietSince', 'next'].includes(name)
      expect(parameters).toEqual({ [name]: values[0], ...(hasDays && { timeZone: timeZone() }) })
    },
  )

  it('orders the rows', () => {
    const rows = [1, 3, 2].map((day) => ({ id: `${day}`, createdAt: `2026-03-0${day}T00:00:00.000Z` }))
    expect(rows.sort(orderOf(allRecords)).map(({ id }) => id)).toEqual(['3', '2', '1'])
  })
})

describe.each(kinds.map((kind) => [kind.path, kind] as const))('The address of %s', (_path, kind) => {
  const { shape } = CONTRACTS[kind.name]
  const isTaken = (name: string, value: string) => shape[name as keyof typeof shape].safeParse(value).success

  const offered = offeredParameters(kind).map(([name]) => name)

  it.each(offered)('sets the filter %s to a value that the server takes, and ignores any other', (name) => {
    const { values, others } = VALUES[name as keyof typeof VALUES]
    for (const value of [...values, ...others]) {
      const { filters } = queryIn(addressOf({ [name]: value }), allRecords, kind)
      expect([value, filters]).toEqual([value, values.includes(value) ? { [name]: value } : {}])
      expect([value, isTaken(name, value)]).toEqual([value, values.includes(value)])
    }
    expect(queryIn(addressOf({ [name]: '' }), allRecords, kind).filters).toEqual({})
    // My Records and the palette offer no filters.
    expect(queryIn(addressOf({ [name]: values[0] as string }), allRecords).filters).toEqual({})
  })

  it('sets each sort of the server, and ignores any other', () => {
    for (const sort of sortNames) expect(queryIn(addressOf({ sort }), allRecords, kind).sort).toBe(sort)
    for (const sort of ['oldest', 'constructor', '']) {
      expect(queryIn(addressOf({ sort }), allRecords, kind).sort).toBe('newest')
    }
    expect(queryIn(addressOf({ sort: 'rating' }), allRecords).sort).toBe('newest')
  })

  it('has only a search that the server takes', () => {
    for (const search of ['\0', 'a\0b', ` ${'a'.repeat(300)}`, '\ud800']) {
      expect([search, isTaken('search', queryIn(addressOf({ search }), allRecords, kind).search)]).toEqual([
        search,
        true,
      ])
    }
  })

  it('ignores the filters of other kinds', () => {
    const all = addressOf(
      Object.fromEntries(Object.entries(VALUES).map(([name, { values }]) => [name, values[0] ?? ''])),
    )
    const { filters: applied } = queryIn(all, allRecords, kind)
    expect(Object.keys(applied)).toEqual(offered)
    // A range is one filter of two parameters.
    const names = filtersOf(kind).flatMap(([name, { chip }]) => (chip === null ? [] : name))
    expect([filtersIn(applied).map(([name]) => name), offered.length]).toEqual([names, names.length + 2])
  })
})

describe('A change of a record may move it in a list', () => {
  const expected = (movers: Change[], change: Change) => [change, movers.includes(change) || change === 'created']

  it.each(Object.keys(MOVED_BY) as FilterName[])(
    'with the filter %s, where it changes what the filter shows',
    (name) => {
      for (const change of CHANGES)
        for (const search of ['', 'Ada']) {
          const [parameter = ''] = Object.keys(filters[name].parameters)
          const query = { ...allRecords, search, filters: { [parameter]: 'x' } }
          expect([change, mayMove(change)(query)]).toEqual(expected(MOVED_BY[name], change))
          expect(mayMove('deleted', change)(query)).toBe(mayMove(change)(query))
        }
    },
  )

  it.each(Object.keys(SORTED_BY) as RecordQuery['sort'][])('sorted by %s, where it changes the order', (sort) => {
    for (const change of CHANGES)
      expect([change, mayMove(change)({ ...allRecords, sort })]).toEqual(expected(SORTED_BY[sort], change))
  })

  it('with several filters and a sort, where it changes any of them', () => {
    const query = { ...allRecords, sort: 'lastNote', filters: { industry: 'x', by: 'x' } } as const
    expect(CHANGES.filter((change) => mayMove(change)(query))).toEqual(
      CHANGES.filter((change) => !['deleted', 'pipeline', 'tags'].includes(change)),
    )
  })

  it.each(Object.keys(BELOW) as (keyof typeof BELOW)[])(
    'below the results, in %s, not with every new record',
    (place) => {
      const query = { ...myRecords, search: 'Ada', in: place }
      expect(CHANGES.filter((change) => mayMove(change)(query))).toEqual(BELOW[place])
    },
  )

  it('not without a change', () => {
    expect(mayMove()(myRecords)).toBe(false)
  })
})
