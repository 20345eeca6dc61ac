import { useSearchParams } from 'react-router'

/** A value kept in the address, '' where there is none. A change replaces the entry in the browser's history. */
export function useQueryParam(name: string) {
  const [query, setQuery] = useSearchParams()
  const set = (value: string) =>
    setQuery(
      (query) => {
        if (value === '') query.delete(name)
        else query.set(name, value)
        return query
      },
      { replace: true, preventScrollReset: true },
    )
  return [query.get(name) ?? '', set] as const
}
