import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { Page } from './page.tsx'
import classes from './part-page.module.css'

/** `count` keeps its room while it is empty. */
export type Part = { to: string; label: string; count?: string }

type PartPageProps = {
  title: string
  parts: readonly Part[]
  /** The name of the shown part, in the browser's tab. */
  part: string
  children: ReactNode
}

/** A screen of several parts, each with an address of its own: their navigation, and one of them. */
export const PartPage = ({ title, parts, part, children }: PartPageProps) => (
  <Page title={title} part={part}>
    <nav aria-label={title} className={classes.parts}>
      {parts.map(({ to, label, count }, place) => (
        // The address of the first may begin those of the others.
        <NavLink key={to} to={to} end={place === 0} className={classes.part ?? ''}>
          {label}
          {count !== undefined && <span className={classes.count}>{count}</span>}
        </NavLink>
      ))}
    </nav>
    {children}
  </Page>
)
