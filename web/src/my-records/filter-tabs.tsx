import type { ReactNode } from 'react'
import type { Kind } from '#contract/kinds.ts'
import { kinds } from '#web/kinds.ts'
import { useQueryParam } from '#web/lib/use-query-param.ts'
import { addTotals, type Total } from '#web/records/totals.ts'
import { CountTabs } from '#web/ui/lists/count-tabs.tsx'

/** The path of a kind, or all kinds. */
export type Filter = '' | Kind['path']

/** The filter of the fellow's records, stored in the address. */
export function useKindFilter() {
  const [value, setFilter] = useQueryParam('show')
  const filter: Filter = kinds.find(({ path }) => path === value)?.path ?? ''
  return [filter, setFilter] as const
}

/** Tabs have no empty value. */
const ALL = 'all'

type FilterTabsProps = {
  filter: Filter
  setFilter: (filter: string) => void
  /** The number of results of each kind. */
  totals: { kind: Kind; foundTotal: Total }[]
  children: ReactNode
}

/** `children` is the content of the chosen tab. */
export const FilterTabs = ({ filter, setFilter, totals, children }: FilterTabsProps) => (
  <CountTabs
    label="Which records"
    value={filter || ALL}
    onChange={(filter) => setFilter(filter === ALL ? '' : filter)}
    tabs={[
      { value: ALL, label: 'All Records', count: addTotals(totals.map(({ foundTotal }) => foundTotal)) },
      ...totals.map(({ kind: { path, plural }, foundTotal }) => ({
        value: path,
        label: `${plural} Only`,
        count: addTotals([foundTotal]),
      })),
    ]}
  >
    {children}
  </CountTabs>
)
