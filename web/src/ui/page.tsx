import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './page.module.css'

type PageProps = { title: string; part?: string; actions?: ReactNode; narrow?: boolean | 'beside'; children: ReactNode }

/**
 * The frame of every page: its title, also in the tab with the shown part, its actions and its content. `beside` leaves room
 * next to a narrow column on wide screens.
 */
export const Page = ({ title, part, actions, narrow, children }: PageProps) => {
  useDocumentTitle(`${part === undefined ? '' : `${part} · `}${title} · Sourcebook`)
  return (
    <div className={classes.page} data-narrow={narrow || undefined}>
      <div className={classes.head}>
        <Title order={1}>{title}</Title>
        {actions}
      </div>
      {children}
    </div>
  )
}
