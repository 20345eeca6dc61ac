import { Paper, Skeleton } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CHANGES_DAYS } from '#contract/changes.ts'
import { PagedList } from '#web/records/list/paged-list.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { listChanges } from './api.ts'
import { ChangeItem } from './change-item.tsx'
import classes from './changes.module.css'

/** What fellows have merged, marked as not the same and imported, with the undo of each. */
export const Changes = () => (
  <PagedList
    list={useInfiniteQuery(listChanges)}
    name="changes"
    label="Recent changes"
    failed="Recent changes could not be loaded"
    skeletons={<Skeletons />}
    nothing={<Nothing />}
    about={
      <p className={classes.about}>
        Merges, pairs marked as not the same, imports, changes of many records and deletions of the last {CHANGES_DAYS}{' '}
        days.
      </p>
    }
  >
    {(change) => <ChangeItem change={change} />}
  </PagedList>
)

const Nothing = () => (
  <EmptyState
    icon={<IconHistory size={28} stroke={1.5} />}
    title="No recent changes"
    text={`Merges, pairs marked as not the same, imports, changes of many records and deletions of the last ${CHANGES_DAYS} days appear here, with a way to undo them.`}
  />
)

const places = [0, 1, 2, 3]

const Skeletons = () => (
  <div role="status" aria-label="Loading recent changes" aria-busy="true" className="stack-12">
    {places.map((place) => (
      <Paper key={place} withBorder className={classes.root}>
        <div className={classes.text}>
          <Skeleton height={14} my={5} width="min(70%, 420px)" />
          <Skeleton height={10} my={5} width="min(30%, 160px)" />
        </div>
      </Paper>
    ))}
  </div>
)
