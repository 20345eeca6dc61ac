import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { paths, programmePath } from '#web/paths.ts'
import { Page } from '#web/ui/page.tsx'
import classes from './programme-frame.module.css'

const parts = [
  { to: paths.programme, label: 'People' },
  { to: programmePath('pipeline'), label: 'Pipeline' },
  { to: programmePath('figures'), label: 'Figures' },
  { to: programmePath('privacy'), label: 'Privacy' },
  { to: programmePath('history'), label: 'History' },
]

/** The frame of the programme's screens: their navigation, and one of them. */
export const ProgrammeFrame = ({ title, children }: { title: string; children: ReactNode }) => (
  <Page title={title}>
    <nav aria-label="Programme" className={classes.parts}>
      {parts.map(({ to, label }) => (
        <NavLink key={to} to={to} end={to === paths.programme} className={classes.part ?? ''}>
          {label}
        </NavLink>
      ))}
    </nav>
    {children}
  </Page>
)
