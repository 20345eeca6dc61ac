import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './count-card.module.css'

type CountCardProps = { icon: ReactNode; label: string; count: number; week: string | undefined }

export const CountCard = ({ icon, label, count, week }: CountCardProps) => (
  <Paper withBorder className={classes.card}>
    <span className={classes.icon} aria-hidden="true">
      {icon}
    </span>
    <dl className={classes.text}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.count}>{count.toLocaleString('en')}</dd>
      {week !== undefined && <dd className={classes.week}>{week}</dd>}
    </dl>
  </Paper>
)
