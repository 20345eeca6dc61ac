import '@mantine/core/styles/Tabs.css'
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './filter-tabs.module.css'
import type { Show } from './use-show.ts'

const tabs: { show: Show; label: string }[] = [
  { show: 'all', label: 'All Records' },
  { show: 'founders', label: 'Founders Only' },
  { show: 'companies', label: 'Companies Only' },
]

type FilterTabsProps = {
  show: Show
  setShow: (show: string) => void
  totals: Record<Show, string | undefined>
  children: ReactNode
}

/** `children` is what the chosen tab shows. */
export const FilterTabs = ({ show, setShow, totals, children }: FilterTabsProps) => (
  <Tabs value={show} onChange={(show) => setShow(show ?? 'all')} keepMounted={false}>
    <Tabs.List aria-label="Which records" className={classes.list ?? ''}>
      {tabs.map((tab) => (
        <Tabs.Tab key={tab.show} value={tab.show} classNames={{ tab: classes.tab, tabLabel: classes.label }}>
          {tab.label} <span className={classes.total}>{totals[tab.show] ?? '…'}</span>
        </Tabs.Tab>
      ))}
    </Tabs.List>
    <Tabs.Panel value={show} pt="md">
      {children}
    </Tabs.Panel>
  </Tabs>
)
