import { SAVED, searchAddress } from '#contract/search-news.ts'
import { boardPath, searchPath } from '#web/paths.ts'
import { allRecords, queryIn } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'

// What an address of a list says of a saved search.

/** The parameters that a search keeps, in one order and without defaults, so that equal lists are equal texts. */
export function savedQuery(kind: RecordKind, parameters: URLSearchParams): string {
  const { filters, search, sort } = queryIn(parameters, allRecords, kind)
  const { cohort: _, mine, ...others } = filters
  const kept = new URLSearchParams({
    ...others,
    ...(mine === 'true' && { mine }),
    ...(search !== '' && { search }),
    ...(sort !== 'newest' && { sort }),
    ...(parameters.get('view') === 'table' && { view: 'table' }),
  })
  kept.sort()
  return String(kept)
}

type Saved = { id: string; query: string }

/** The address of the list of a search; with a cohort, of those of its records. */
export const listPath = (kind: RecordKind, search: Saved, cohort?: string): string =>
  searchAddress(searchPath(kind), search, cohort)

/** The board has columns in place of stages, and neither a search nor an order. */
const NOT_ON_BOARD = ['stage', 'search', 'sort', 'view']

export function boardAddress(kind: RecordKind, { id, query }: Saved): string {
  const parameters = new URLSearchParams(query)
  for (const name of NOT_ON_BOARD) parameters.delete(name)
  return boardPath(kind, [...parameters, [SAVED, id]])
}
