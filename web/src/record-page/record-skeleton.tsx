import { Paper, Skeleton } from '@mantine/core'
import type { RecordKind } from '#web/records/kind.ts'
import { useKeysWait } from '#web/ui/keys/waiting-keys.ts'
import facts from './facts/record-facts.module.css'
import head from './record-head.module.css'
import classes from './record-page.module.css'

/** The places of the parts of a record while it loads. */
export const RecordSkeleton = ({ kind }: { kind: RecordKind }) => (
  <div className={classes.page} role="status" aria-busy="true" aria-label={`Loading the ${kind.name}`}>
    <div className={classes.nav} />
    <Paper withBorder className={head.root}>
      <div className={head.who}>
        <Skeleton height={56} width={56} radius={kind.isSquare ? 'md' : '50%'} />
        <div className={facts.who}>
          <Skeleton height={24} my={4} width="min(70%, 280px)" />
          <Skeleton height={14} my={5} width="min(90%, 320px)" />
          <Skeleton height={14} my={5} width="min(80%, 360px)" />
        </div>
      </div>
      <div className={head.panel}>
        {['rating', 'stage', 'status', 'responsible', 'step'].map((row) => (
          <Skeleton key={row} height={20} my={4} />
        ))}
      </div>
      <div className={head.tags}>
        <Skeleton height={20} my={4} />
      </div>
      <div className={head.about}>
        <Skeleton height={52} />
      </div>
    </Paper>
    <div className={classes.columns}>
      <div className={classes.main}>
        <Paper withBorder className={classes.part}>
          <Skeleton height={50} />
        </Paper>
        <Paper withBorder className={classes.part}>
          <Skeleton height={190} />
        </Paper>
      </div>
      <div className={classes.aside}>
        <AsideSkeleton />
      </div>
    </div>
  </div>
)

/** The places of what stands beside the texts. */
export const AsideSkeleton = () => {
  useKeysWait()
  return [44, 60, 90].map((height) => (
    <Paper key={height} withBorder className={classes.part}>
      <Skeleton height={height} />
    </Paper>
  ))
}
