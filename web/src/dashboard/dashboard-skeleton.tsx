import { Paper, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { kinds } from '#web/kinds.ts'
import countCard from './count-card.module.css'
import classes from './dashboard.module.css'
import list from './recent-records.module.css'

const rows = [0, 1, 2, 3, 4]

type DashboardSkeletonProps = { inOrder: (chart: ReactNode, lists: ReactNode) => ReactNode }

/** Placeholders for the dashboard while it loads. */
export const DashboardSkeleton = ({ inOrder }: DashboardSkeletonProps) => (
  <div role="status" aria-busy="true" aria-label="Loading the dashboard" className={classes.dashboard}>
    <div className={classes.counts}>
      {kinds.map(({ name }) => (
        <CountSkeleton key={name} />
      ))}
    </div>
    {inOrder(
      <Paper withBorder className={classes.chart}>
        <Skeleton height={18} width={240} mt={3} />
      </Paper>,
      <div className={classes.lists}>
        {kinds.map(({ name }) => (
          <ListSkeleton key={name} />
        ))}
      </div>,
    )}
  </div>
)

const CountSkeleton = () => (
  <Paper withBorder className={countCard.card}>
    <Skeleton height={40} width={140} />
  </Paper>
)

const ListSkeleton = () => (
  <Paper withBorder className={list.root}>
    <div className={list.head}>
      <Skeleton height={18} width={140} />
    </div>
    {rows.map((row) => (
      <div key={row} className={list.row}>
        <Skeleton circle height={40} />
        <Skeleton height={14} width="min(50%, 220px)" />
      </div>
    ))}
  </Paper>
)
