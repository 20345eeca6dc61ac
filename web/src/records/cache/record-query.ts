import { type Change, filters, filtersOf, type Parameter, type ParameterName } from '#contract/filters.ts'
import type { Kind } from '#contract/kinds.ts'
import { RATING_MAX, RATING_MIN, SEARCH_MAX } from '#contract/limits.ts'
import { isReadable, lengthOf } from '#contract/plain-text.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { useParameters } from '#web/lib/use-parameters.ts'
import { newestFirst } from './newest-first.ts'
import { bestRatedFirst, lastNoteFirst, longestInStageFirst } from './orders.ts'

type Movers = readonly Change[]

/** The order of each sort, and the changes that move a record within it. A sort has an entry on the server too. */
const sorts = {
  newest: { compare: newestFirst, movedBy: [] as Movers },
  rating: { compare: bestRatedFirst, movedBy: ['updated', 'merged'] as Movers },
  lastNote: { compare: lastNoteFirst, movedBy: ['notes', 'merged'] as Movers },
  stageAge: { compare: longestInStageFirst, movedBy: ['pipeline', 'merged'] as Movers },
}

export type SortName = keyof typeof sorts

/** Whether the server takes a value. An address with any other is shown without it. */
const isValue: { [Takes in Parameter['takes']]: (value: string, of: Extract<Parameter, { takes: Takes }>) => boolean } =
  {
    id: (value, { orNone }) =>
      /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) || (orNone === true && value === 'none'),
    rating: (value) => /^[1-9]\d?$/.test(value) && Number(value) >= RATING_MIN && Number(value) <= RATING_MAX,
    // The database has no year 0.
    day: (value) =>
      /^\d{4}-\d{2}-\d{2}$/.test(value) &&
      value >= '0001' &&
      new Date(`${value}T00:00Z`).getUTCDate() === Number(value.slice(8)),
    // What it stands for only the server knows.
    cohort: (value) => /^[\w-]{8,200}\.[\w-]{43}$/.test(value),
    text: (value, { max }) => value.trim() !== '' && isReadable(value) && lengthOf(value) <= max,
    word: (value, { words }) => Object.hasOwn(words, value),
  }

/** The parameters that the search screen of a kind offers. */
export const offeredParameters = (kind: Kind) =>
  filtersOf(kind).flatMap(([, { chip, parameters }]) => (chip === null ? [] : Object.entries(parameters)))

/** The searches below the exact one, and the changes after which they are fetched again. Others wait for the next search. */
const below = {
  mentions: ['notes', 'merged'] as Movers,
  similar: ['merged'] as Movers,
}

/** A list of records as a value: which ones, and in which order. */
export type RecordQuery = {
  filters: { readonly [Name in ParameterName]?: string }
  search: string
  sort: SortName
  /** Absent for the exact search. */
  in?: keyof typeof below
}

export const allRecords: RecordQuery = { filters: {}, search: '', sort: 'newest' }
export const myRecords: RecordQuery = { ...allRecords, filters: { mine: 'true' } }

/** The parameters of the calls that list or export these records. The newest first is the default of the server. */
export const parametersOf = ({ filters: applied, search, sort, in: place }: RecordQuery) => ({
  ...applied,
  ...(filtersIn(applied).some(([, { hasDays }]) => hasDays) && { timeZone: timeZone() }),
  ...(search !== '' && { search }),
  ...(sort !== 'newest' && { sort }),
  ...(place && { in: place }),
})

/** The order of the rows of a list. */
export const orderOf = ({ sort }: RecordQuery) => sorts[sort].compare

/** The filters that have a value. */
export const filtersIn = (applied: RecordQuery['filters']) =>
  Object.entries(filters).filter(([, { parameters }]) => Object.keys(parameters).some((name) => name in applied))

/**
 * Whether one of these changes may move a record within a list, into it or out of it. A record that no longer matches
 * the search stays until the list is fetched again, so that it does not vanish while a person reads it.
 */
export const mayMove = (...changes: Change[]) => {
  const isChange = (change: Change) => changes.includes(change)
  return ({ filters: applied, sort, in: place }: RecordQuery): boolean => {
    if (place !== undefined) return below[place].some(isChange)
    return (
      isChange('created') ||
      sorts[sort].movedBy.some(isChange) ||
      filtersIn(applied).some(([, { movedBy }]) => movedBy.some(isChange))
    )
  }
}

const [SEARCH, SORT] = ['search', 'sort']

const isSort = (name: string): name is SortName => Object.hasOwn(sorts, name)

/**
 * What an address of a screen shows of a list. Only the screens of a kind offer filters and sorts; a value that the
 * server would refuse is ignored.
 */
export function queryIn(parameters: URLSearchParams, of: RecordQuery, kind?: Kind): RecordQuery {
  const given = (kind ? offeredParameters(kind) : []).flatMap(([name, parameter]) => {
    const value = parameters.get(name) ?? ''
    return isValue[parameter.takes](value, parameter as never) ? [[name, value]] : []
  })
  const sort = parameters.get(SORT) ?? ''
  return {
    filters: { ...of.filters, ...Object.fromEntries(given) },
    search: [...(parameters.get(SEARCH) ?? '').replaceAll('\0', '').trim()].slice(0, SEARCH_MAX).join(''),
    sort: kind && isSort(sort) ? sort : of.sort,
  }
}

/** Parts of an address to set. An empty one is removed. */
export type Changes = { [Name in ParameterName | 'search' | 'sort' | 'view']?: string }

/** The query of a list, stored in the address. */
export function useRecordQuery(of: RecordQuery, kind?: Kind) {
  const [parameters, change] = useParameters()
  const set = (changes: Changes, replace: boolean) => change(changes, { replace, preventScrollReset: true })
  return {
    query: queryIn(parameters, of, kind),
    isTable: parameters.get('view') === 'table',
    /** Replaces the entry in the browser's history, because each key is a search. */
    setSearch: (search: string) => set({ search }, true),
    /** A step in the browser's history, which Back undoes. */
    change: (changes: Changes) => set(changes, false),
  }
}
