import { useSearchParams } from 'react-router'
import { SEARCH_MAX } from '#contract/limits.ts'
import type { LiveEvent } from '#contract/live.ts'
import { useQueryParam } from '#web/lib/use-query-param.ts'
import { newestFirst } from './newest-first.ts'

/** A change of a record. `finders` is the fellow's own: no event names it. */
type Change = Exclude<LiveEvent, { kind: 'everything' }>['change'] | 'finders'

/** The order of each sort, and the changes that move a record within it. A sort has an entry on the server too. */
const sorts = {
  newest: { compare: newestFirst, movedBy: [] as readonly Change[] },
}

/** The changes that bring a record into a filtered list or out of it. A filter has an entry on the server too. */
const filters = {
  mine: { changedBy: ['notes', 'merged', 'finders'] as readonly Change[] },
}

/** A list of records as a value: which ones, and in which order. */
export type RecordQuery = {
  filters: { readonly [Name in keyof typeof filters]?: string }
  search: string
  sort: keyof typeof sorts
}

export const allRecords: RecordQuery = { filters: {}, search: '', sort: 'newest' }
export const myRecords: RecordQuery = { ...allRecords, filters: { mine: 'true' } }

/** The parameters of the calls that list or export these records. The newest first is the default of the server. */
export const parametersOf = ({ filters, search }: RecordQuery) => ({ ...filters, ...(search !== '' && { search }) })

/** The order of the rows of a list. */
export const orderOf = ({ sort }: RecordQuery) => sorts[sort].compare

/**
 * Whether one of these changes may move a record within a list, into it or out of it. A record that no longer matches
 * the search stays until the list is fetched again, so that it does not vanish while a person reads it.
 */
export const mayMove = (...changes: Change[]) => {
  const isChange = (change: Change) => changes.includes(change)
  return ({ filters: applied, sort }: RecordQuery): boolean =>
    isChange('created') ||
    sorts[sort].movedBy.some(isChange) ||
    Object.keys(applied).some((name) => filters[name as keyof typeof filters].changedBy.some(isChange))
}

const SEARCH = 'search'

/** What an address of a screen shows of a list. */
export const queryIn = (parameters: URLSearchParams, of: RecordQuery): RecordQuery => ({
  ...of,
  search: [...(parameters.get(SEARCH) ?? '').trim()].slice(0, SEARCH_MAX).join(''),
})

/** The query of a list, stored in the address. */
export function useRecordQuery(of: RecordQuery) {
  const [parameters] = useSearchParams()
  const [, setSearch] = useQueryParam(SEARCH)
  return { query: queryIn(parameters, of), setSearch }
}
