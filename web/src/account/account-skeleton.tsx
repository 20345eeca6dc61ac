import { Paper, Skeleton } from '@mantine/core'
import classes from './account.module.css'

const HEIGHTS = [190, 208, 64, 96]

/** Placeholders for the sections while the account loads. */
export const AccountSkeleton = () => (
  <div className={classes.sections} aria-busy="true">
    <span role="status" className="visually-hidden">
      Loading
    </span>
    {HEIGHTS.map((height) => (
      <Paper key={height} withBorder className={classes.section}>
        <Skeleton height={20} width={140} />
        <Skeleton height={height} />
      </Paper>
    ))}
  </div>
)
