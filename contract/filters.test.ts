import { describe, expect, it } from 'vitest'
import { CompanyListQuery } from './company.ts'
import { exportQuery } from './export.ts'
import { type Filter, type FilterName, filters, filtersOf, type Parameter } from './filters.ts'
import { FounderListQuery } from './founder.ts'
import { kinds } from './kinds.ts'

const LISTS = { founder: FounderListQuery, company: CompanyListQuery }
const ID = '01900000-0000-7000-8000-00000000abcd'
const COHORT = `WyJhZGRlZCIsMSwyXQ.${'a'.repeat(43)}`

/** Values of a parameter, and others that it refuses. */
const VALUES: { [Takes in Parameter['takes']]: { values: string[]; refused: string[] } } = {
  id: { values: [ID], refused: ['x', `${ID}0`] },
  rating: { values: ['1', '10'], refused: ['0', '11', 'x'] },
  day: { values: ['2024-02-29'], refused: ['2025-02-29', 'x'] },
  cohort: { values: [COHORT], refused: ['x', `${COHORT}a`] },
  text: { values: ['Water'], refused: ['a\0', 'a'.repeat(2049)] },
  word: { values: [], refused: ['x', 'constructor'] },
}
const valuesOf = (parameter: Parameter) =>
  parameter.takes === 'word' ? Object.keys(parameter.words) : VALUES[parameter.takes].values

/** What a chip says of a value, apart from names. */
function wordsOf({ chip, parameters }: Filter, name: string, value: string): unknown {
  if (typeof chip === 'function') return chip({ [name]: value }, (day) => day)
  const parameter = parameters[name]
  // The page has those of a cohort.
  if (chip === 'cohort') return 'Cohort'
  return chip === 'words' ? parameter?.takes === 'word' && parameter.words[value] : chip?.before
}

describe.each(kinds.map((kind) => [kind.path, kind] as const))('The filters of %s', (_path, kind) => {
  const entries = filtersOf(kind)
  const parameters = entries.flatMap(([, filter]) => Object.entries(filter.parameters))
  const list = LISTS[kind.name]

  it('are the parameters of the list, in their order', () => {
    const others = ['search', 'limit', 'cursor', 'in', 'timeZone', 'sort']
    const names = Object.keys(list.shape).filter((name) => !others.includes(name))
    expect(names).toEqual(parameters.map(([name]) => name))
  })

  it.each(parameters)('take and refuse the same values of %s in lists and exports', (name, parameter) => {
    for (const query of [list, exportQuery(list)]) {
      for (const value of valuesOf(parameter))
        expect(query.safeParse({ [name]: value })).toMatchObject({ success: true, data: { [name]: expect.anything() } })
      for (const value of VALUES[parameter.takes].refused) {
        const { error } = query.safeParse({ [name]: value })
        const sentence = parameter.takes === 'cohort' ? 'This link to a number' : parameter.label
        expect([value, error?.issues.map(({ message }) => message)]).toEqual([
          value,
          [expect.stringContaining(sentence)],
        ])
      }
    }
  })

  it.each(entries.filter(([, { chip }]) => chip !== null))('have words for each value of %s', (_name, filter) => {
    for (const [name, parameter] of Object.entries(filter.parameters))
      for (const value of valuesOf(parameter)) expect([value, wordsOf(filter, name, value)]).toEqual([value, words])
  })

  it.each(entries)('show other records after a merge, as each of them: %s', (_name, { movedBy }) => {
    expect(movedBy).toContain('merged')
    expect(movedBy).not.toContain('created')
  })
})

const words = expect.stringMatching(/^[A-Z].*[a-z0-9:]$/)

it('A filter is declared once', () => {
  const names = Object.values(filters).flatMap(({ parameters }) => Object.keys(parameters))
  expect(new Set(names).size).toBe(names.length)
  const all = new Set(kinds.flatMap((kind) => filtersOf(kind).map(([name]): FilterName => name)))
  expect([...all].sort()).toEqual(Object.keys(filters).sort())
})
