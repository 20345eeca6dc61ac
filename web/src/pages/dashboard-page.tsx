import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { dashboard } from '#web/dashboard/api.ts'
import { CountCard } from '#web/dashboard/count-card.tsx'
import classes from '#web/dashboard/dashboard.module.css'
import { DashboardSkeleton } from '#web/dashboard/dashboard-skeleton.tsx'
import { FellowPerformance } from '#web/dashboard/fellow-performance.tsx'
import { FirstSteps } from '#web/dashboard/first-steps.tsx'
import { NextSteps } from '#web/dashboard/next-steps.tsx'
import { dueSteps, mySteps } from '#web/dashboard/next-steps-query.ts'
import { RecentRecords } from '#web/dashboard/recent-records.tsx'
import { weekNote } from '#web/dashboard/week.ts'
import { countInbox } from '#web/inbox/api.ts'
import { kinds } from '#web/kinds.ts'
import { searchPath } from '#web/paths.ts'
import { since } from '#web/since/api.ts'
import { SinceLine } from '#web/since/since-line.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { useLoadingState } from '#web/ui/states/use-loading-state.ts'
import { useIsPhone } from '#web/ui/use-is-phone.ts'

export function DashboardPage() {
  const { data, error, isPending, refetch } = useQuery(dashboard)
  const isCounting = [useQuery(since), useQuery(countInbox)].some(({ isPending }) => isPending)
  const isEmpty = data?.fellows.length === 0
  const steps = useInfiniteQuery(mySteps)
  const due = useQuery(dueSteps)
  // Both lines appear together with what is below them, so that nothing jumps.
  const isLoading = useLoadingState(isPending || isCounting || steps.isPending || due.isPending)
  const isPhone = useIsPhone()
  /** On phones the records stand before the chart, for the eye and for the keyboard. */
  const inOrder = (chart: ReactNode, lists: ReactNode) => {
    const parts = [<Fragment key="chart">{chart}</Fragment>, <Fragment key="lists">{lists}</Fragment>]
    return isPhone ? parts.toReversed() : parts
  }
  return (
    <Page title="Dashboard">
      {isLoading && <DashboardSkeleton inOrder={inOrder} />}
      {!isLoading && !data && <ErrorState title="The dashboard could not be loaded" error={error} retry={refetch} />}
      {!isLoading && data && (
        <div className={classes.dashboard}>
          <SinceLine />
          <NextSteps />
          <div className={classes.counts}>
            {kinds.map((kind) => (
              <CountCard
                key={kind.name}
                icon={<kind.icons.count size={22} stroke={1.5} />}
                label={`${kind.plural} Sourced`}
                count={data[kind.path]}
                week={weekNote(data.week[kind.path])}
                to={searchPath(kind)}
              />
            ))}
          </div>
          {inOrder(
            isEmpty ? <FirstSteps /> : <FellowPerformance fellows={data.fellows} />,
            <div className={classes.lists}>
              {kinds.map((kind) => (
                <RecentRecords key={kind.name} kind={kind} records={data[`recent${kind.plural}`]} reload={refetch} />
              ))}
            </div>,
          )}
        </div>
      )}
    </Page>
  )
}
