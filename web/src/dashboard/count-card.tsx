import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './count-card.module.css'

export const CountCard = ({ icon, label, count }: { icon: ReactNode; label: string; count: number }) => (
  <Paper withBorder className={classes.card}>
    <span className={classes.icon} aria-hidden="true">
      {icon}
    </span>
    <dl className={classes.text}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.count}>{count.toLocaleString('en')}</dd>
    </dl>
  </Paper>
)
