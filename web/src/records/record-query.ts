import { RATING_MAX, RATING_MIN, SEARCH_MAX } from '#contract/limits.ts'
import type { LiveEvent } from '#contract/live.ts'
import { isReadable, lengthOf } from '#contract/plain-text.ts'
import { qualityKinds } from '#contract/quality-kinds.ts'
import { statuses } from '#contract/status.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { useParameters } from '#web/lib/use-parameters.ts'
import { newestFirst } from './newest-first.ts'
import { bestRatedFirst, lastNoteFirst, longestInStageFirst } from './orders.ts'

/** A change of a record. `finders` is the fellow's own; that of another fellow arrives as `updated`. */
type Change = Extract<LiveEvent, { change: unknown }>['change'] | 'finders'

type Movers = readonly Change[]

/** The order of each sort, and the changes that move a record within it. A sort has an entry on the server too. */
const sorts = {
  newest: { compare: newestFirst, movedBy: [] as Movers },
  rating: { compare: bestRatedFirst, movedBy: ['updated', 'merged'] as Movers },
  lastNote: { compare: lastNoteFirst, movedBy: ['notes', 'merged'] as Movers },
  stageAge: { compare: longestInStageFirst, movedBy: ['pipeline', 'merged'] as Movers },
}

export type SortName = keyof typeof sorts

const isRating = (value: string) =>
  /^[1-9]\d?$/.test(value) && Number(value) >= RATING_MIN && Number(value) <= RATING_MAX
/** The database has no year 0. */
const isDay = (value: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  value >= '0001' &&
  new Date(`${value}T00:00Z`).getUTCDate() === Number(value.slice(8))
const isText = (value: string) => value.trim() !== '' && isReadable(value) && lengthOf(value) <= SEARCH_MAX
/** What it stands for only the server knows. */
const isCohort = (value: string) => /^[\w-]{8,200}\.[\w-]{43}$/.test(value)
const isId = (value: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)
const isIdOrNone = (value: string) => value === 'none' || isId(value)
const isStatus = (value: string) => (statuses as string[]).includes(value)

type Filter = {
  /** The changes that bring a record into a filtered list or out of it. */
  changedBy: Movers
  /** Whether the server takes the value. An address with any other is shown without this filter. */
  isValue: (value: string) => boolean
  /** Filters with the same name are one choice to a person. */
  choice: string
  /** Whether the value stands for days, which are those of the viewer. */
  hasDays?: true
}

/** A filter has an entry on the server too. */
const filters = {
  mine: { changedBy: ['notes', 'merged', 'finders'], isValue: (value) => value === 'true', choice: 'mine' },
  by: { changedBy: ['updated', 'merged', 'finders'], isValue: isId, choice: 'by' },
  ratingMin: { changedBy: ['updated', 'merged'], isValue: isRating, choice: 'rating' },
  ratingMax: { changedBy: ['updated', 'merged'], isValue: isRating, choice: 'rating' },
  addedAfter: { changedBy: ['merged'], isValue: isDay, choice: 'added', hasDays: true },
  addedBefore: { changedBy: ['merged'], isValue: isDay, choice: 'added', hasDays: true },
  hasNotes: { changedBy: ['notes', 'merged'], isValue: (value) => /^(true|false)$/.test(value), choice: 'hasNotes' },
  opinion: { changedBy: ['updated', 'merged'], isValue: (value) => value === 'missing', choice: 'opinion' },
  quality: {
    changedBy: ['updated', 'notes', 'pipeline', 'merged'],
    isValue: (value) => (qualityKinds as readonly string[]).includes(value),
    choice: 'quality',
  },
  cohort: { changedBy: ['updated', 'notes', 'pipeline', 'merged'], isValue: isCohort, choice: 'cohort' },
  industry: { changedBy: ['updated', 'merged'], isValue: isText, choice: 'industry' },
  place: { changedBy: ['updated', 'merged'], isValue: isText, choice: 'place' },
  stage: { changedBy: ['pipeline', 'merged'], isValue: isIdOrNone, choice: 'stage' },
  status: { changedBy: ['pipeline', 'merged'], isValue: isStatus, choice: 'status' },
  responsible: { changedBy: ['pipeline', 'merged'], isValue: isIdOrNone, choice: 'responsible' },
  next: {
    changedBy: ['pipeline', 'merged'],
    isValue: (value) => /^(due|late)$/.test(value),
    choice: 'next',
    hasDays: true,
  },
  reached: { changedBy: ['pipeline', 'merged'], isValue: isId, choice: 'reached' },
  tag: { changedBy: ['tags', 'merged'], isValue: isId, choice: 'tag' },
} satisfies Record<string, Filter>

export type FilterName = keyof typeof filters

/** The filters of every kind. A kind adds its own. */
const SHARED: FilterName[] = [
  ...(['stage', 'status', 'reached', 'responsible', 'next', 'tag'] as const),
  ...(['by', 'ratingMin', 'ratingMax', 'addedAfter', 'addedBefore', 'hasNotes'] as const),
  ...(['opinion', 'quality', 'cohort'] as const),
]

type Filterable = { filters: readonly FilterName[] }

/** The filters that the search screen of a kind offers. */
export const filtersOf = (kind: Filterable) => [...SHARED, ...kind.filters]

/** The searches below the exact one, and the changes after which they are fetched again. Others wait for the next search. */
const below = {
  mentions: ['notes', 'merged'] as Movers,
  similar: ['merged'] as Movers,
}

/** A list of records as a value: which ones, and in which order. */
export type RecordQuery = {
  filters: { readonly [Name in FilterName]?: string }
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
  ...(namesIn(applied).some((name) => (filters[name] as Filter).hasDays) && { timeZone: timeZone() }),
  ...(search !== '' && { search }),
  ...(sort !== 'newest' && { sort }),
  ...(place && { in: place }),
})

/** The order of the rows of a list. */
export const orderOf = ({ sort }: RecordQuery) => sorts[sort].compare

/** What a person has chosen to filter by: a range is one choice of two filters. */
export const choicesIn = ({ filters: applied }: RecordQuery): string[] => [
  ...new Set(namesIn(applied).map((name) => filters[name].choice)),
]

const namesIn = (applied: RecordQuery['filters']) => Object.keys(applied) as FilterName[]

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
      namesIn(applied).some((name) => (filters[name] as Filter).changedBy.some(isChange))
    )
  }
}

const [SEARCH, SORT] = ['search', 'sort']

const isSort = (name: string): name is SortName => Object.hasOwn(sorts, name)

/**
 * What an address of a screen shows of a list. Only the screens of a kind offer filters and sorts; a value that the
 * server would refuse is ignored.
 */
export function queryIn(parameters: URLSearchParams, of: RecordQuery, kind?: Filterable): RecordQuery {
  const values = kind ? filtersOf(kind).map((name) => [name, parameters.get(name) ?? ''] as const) : []
  const sort = parameters.get(SORT) ?? ''
  return {
    filters: { ...of.filters, ...Object.fromEntries(values.filter(([name, value]) => filters[name].isValue(value))) },
    search: [...(parameters.get(SEARCH) ?? '').replaceAll('\0', '').trim()].slice(0, SEARCH_MAX).join(''),
    sort: kind && isSort(sort) ? sort : of.sort,
  }
}

/** Parts of an address to set. An empty one is removed. */
export type Changes = { [Name in FilterName | 'search' | 'sort' | 'view']?: string }

/** The query of a list, stored in the address. */
export function useRecordQuery(of: RecordQuery, kind?: Filterable) {
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
