import { useSearchParams } from 'react-router'

/** A value stored in the address, '' by default. A change replaces the entry in the browser's history. */
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
