import { Paper, Skeleton } from '@mantine/core'
import skeleton from './card-skeleton.module.css'
import classes from './record-card.module.css'

/** The placeholder of a card that is loading, as tall as a card of five short lines. */
const CardSkeleton = ({ isSquare }: { isSquare: boolean }) => (
  <Paper withBorder className={classes.card}>
    <div className={classes.grid}>
      <Skeleton height={56} width={56} radius={isSquare ? 'md' : '50%'} />
      <div className={classes.head}>
        <Skeleton height={16} my={4} width="min(60%, 320px)" />
      </div>
      <div className={classes.side}>
        <Skeleton height={12} width={120} />
      </div>
      <div className={classes.body}>
        <div className={classes.sources}>
          <Skeleton height={12} width={80} />
        </div>
        <div className={classes.about}>
          <div className={skeleton.line}>
            <Skeleton height={12} />
          </div>
        </div>
        <div className={classes.notes}>
          <Skeleton height={43} />
        </div>
      </div>
    </div>
  </Paper>
)

const places = [0, 1, 2, 3, 4, 5]

export const CardSkeletons = ({ label, isSquare }: { label: string; isSquare: boolean }) => (
  <div role="status" aria-label={label} aria-busy="true" className="stack-12">
    {places.map((place) => (
      <CardSkeleton key={place} isSquare={isSquare} />
    ))}
  </div>
)
