import { Paper, Skeleton } from '@mantine/core'
import classes from './dashboard.module.css'

const rows = [0, 1, 2, 3, 4]

/** Keeps the place of the dashboard while it loads. */
export const DashboardSkeleton = () => (
  <div role="status" aria-busy="true" aria-label="Loading the dashboard" className={classes.dashboard}>
    <div className={classes.counts}>
      <Paper withBorder p={20} h={102} className={classes.row}>
        <Skeleton height={48} width={48} />
        <Skeleton height={40} width={140} />
      </Paper>
    </div>
    <div className={classes.lists}>
      <Paper withBorder p={20}>
        <Skeleton height={18} width={140} mt={6} mb={16} />
        {rows.map((row) => (
          <div key={row} className={classes.row}>
            <Skeleton circle height={40} />
            <Skeleton height={14} width="min(50%, 220px)" />
          </div>
        ))}
      </Paper>
    </div>
  </div>
)
