import '@mantine/core/styles/Tabs.css'
import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './count-tabs.module.css'

type CountTab = { value: string; label: string; count: ReactNode }

type CountTabsProps = {
  label: string
  value: string
  onChange: (value: string) => void
  tabs: CountTab[]
  children: ReactNode
}

/** Tabs with counts. `children` is the content of the chosen tab. */
export const CountTabs = ({ label, value, onChange, tabs, children }: CountTabsProps) => (
  <Tabs value={value} onChange={(value) => onChange(value ?? '')} keepMounted={false}>
    <Tabs.List aria-label={label} className={classes.tabs ?? ''}>
      {tabs.map(({ value, label, count }) => (
        <Tabs.Tab key={value} value={value} classNames={{ tab: classes.tab, tabLabel: classes.tabLabel }}>
          {label} <span className={classes.total}>{count ?? '…'}</span>
        </Tabs.Tab>
      ))}
    </Tabs.List>
    <Tabs.Panel value={value} pt="md">
      {children}
    </Tabs.Panel>
  </Tabs>
)
