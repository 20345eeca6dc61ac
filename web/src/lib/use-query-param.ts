import { useParameters } from './use-parameters.ts'

/** A value stored in the address, '' by default. A change replaces the entry in the browser's history. */
export function useQueryParam(name: string) {
  const [query, change] = useParameters()
  const set = (value: string) => change({ [name]: value }, { replace: true, preventScrollReset: true })
  return [query.get(name) ?? '', set] as const
}
