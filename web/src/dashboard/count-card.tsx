import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { grouped } from '#web/ui/shown-count.ts'
import classes from './count-card.module.css'

type CountCardProps = { icon: ReactNode; label: string; count: number; week: string | undefined; to: string }

/** A number of records. The whole card is a link to them. */
export const CountCard = ({ icon, label, count, week, to }: CountCardProps) => (
  <Paper withBorder className={classes.card}>
    <span className={classes.icon} aria-hidden="true">
      {icon}
    </span>
    <dl className={classes.text}>
      <dt className={classes.label}>
        <Link to={to} className={classes.link}>
          {label}
        </Link>
      </dt>
      <dd className={classes.count}>{grouped(count)}</dd>
      {week !== undefined && <dd className={classes.week}>{week}</dd>}
    </dl>
  </Paper>
)
