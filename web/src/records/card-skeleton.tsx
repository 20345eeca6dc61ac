import { Paper, Skeleton } from '@mantine/core'
import classes from './record-card.module.css'

/** Keeps the place of a card that is loading. */
const CardSkeleton = () => (
  <Paper withBorder className={classes.card}>
    <div className={classes.grid}>
      <Skeleton circle height={56} />
      <div className={classes.head}>
        <Skeleton height={16} width="min(40%, 180px)" />
        <Skeleton height={12} width="min(60%, 280px)" mt={10} />
      </div>
      <div className={classes.side} />
      <div className={classes.body}>
        <div className={classes.about}>
          <Skeleton height={12} mt={8} />
          <Skeleton height={12} width="70%" mt={10} />
        </div>
        <div className={classes.notes}>
          <Skeleton height={80} />
        </div>
      </div>
    </div>
  </Paper>
)

const places = [0, 1, 2, 3, 4, 5]

export const CardSkeletons = ({ label }: { label: string }) => (
  <div role="status" aria-label={label} aria-busy="true" className="stack-12">
    {places.map((place) => (
      <CardSkeleton key={place} />
    ))}
  </div>
)
