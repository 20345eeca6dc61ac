import { useParameters } from './use-parameters.ts'

/** A value stored in the address, '' by default. A change is a step, which Back undoes. */
export function useQueryParam(name: string) {
  const [query, change] = useParameters()
  const set = (value: string) => change({ [name]: value }, { preventScrollReset: true })
  return [query.get(name) ?? '', set] as const
}
