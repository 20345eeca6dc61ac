import { useSearchParams } from 'react-router'
import { SEARCH_MAX } from '#contract/limits.ts'

/** What an address searches for. */
export const searchIn = (query: URLSearchParams) =>
  [...(query.get('search') ?? '').trim()].slice(0, SEARCH_MAX).join('')

/** The search of a list, kept in the address. Typing replaces the entry in the history instead of adding to it. */
export const useSearch = () => {
  const [query, setQuery] = useSearchParams()
  const search = searchIn(query)
  const setSearch = (search: string) =>
    setQuery(
      (query) => {
        if (search === '') query.delete('search')
        else query.set('search', search)
        return query
      },
      { replace: true, preventScrollReset: true },
    )
  return [search, setSearch] as const
}
