import { useSearchParams } from 'react-router'

const kinds = ['founders', 'companies'] as const
export type Show = 'all' | (typeof kinds)[number]

/** Which of one's records are shown, kept in the address. */
export const useShow = () => {
  const [query, setQuery] = useSearchParams()
  const show: Show = kinds.find((kind) => kind === query.get('show')) ?? 'all'
  const setShow = (show: string) =>
    setQuery(
      (query) => {
        if (show === 'all') query.delete('show')
        else query.set('show', show)
        return query
      },
      { replace: true, preventScrollReset: true },
    )
  return [show, setShow] as const
}
