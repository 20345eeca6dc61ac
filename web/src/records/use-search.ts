import { SEARCH_MAX } from '#contract/limits.ts'
import { useQueryParam } from '#web/lib/use-query-param.ts'

const NAME = 'search'

const searchOf = (text: string) => [...text.trim()].slice(0, SEARCH_MAX).join('')

/** The search in the query of an address. */
export const searchIn = (query: URLSearchParams) => searchOf(query.get(NAME) ?? '')

/** The search of a list, kept in the address. */
export function useSearch() {
  const [text, setSearch] = useQueryParam(NAME)
  return [searchOf(text), setSearch] as const
}
