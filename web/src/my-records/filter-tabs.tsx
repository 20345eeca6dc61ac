import '@mantine/core/styles/Tabs.css'
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Kind } from '#contract/kinds.ts'
import { kinds } from '#web/kinds.ts'
import { useQueryParam } from '#web/lib/use-query-param.ts'
import { addTotals, type Total } from '#web/records/totals.ts'
import classes from './my-records.module.css'

/** The path of a kind, or all kinds. */
export type Filter = '' | Kind['path']

/** Which of the fellow's records are shown, kept in the address. */
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
export function FilterTabs({ filter, setFilter, totals, children }: FilterTabsProps) {
  const tabs = [
    { filter: ALL, label: 'All Records', total: addTotals(totals.map(({ foundTotal }) => foundTotal)) },
    ...totals.map(({ kind: { path, plural }, foundTotal }) => ({
      filter: path,
      label: `${plural} Only`,
      total: addTotals([foundTotal]),
    })),
  ]
  return (
    <Tabs
      value={filter || ALL}
      onChange={(filter) => setFilter(filter === ALL ? '' : (filter ?? ''))}
      keepMounted={false}
    >
      <Tabs.List aria-label="Which records" className={classes.tabs ?? ''}>
        {tabs.map(({ filter, label, total }) => (
          <Tabs.Tab key={filter} value={filter} classNames={{ tab: classes.tab, tabLabel: classes.tabLabel }}>
            {label} <span className={classes.total}>{total ?? '…'}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={filter || ALL} pt="md">
        {children}
      </Tabs.Panel>
    </Tabs>
  )
}
