import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { dashboard } from '#web/dashboard/api.ts'
import { CountCard } from '#web/dashboard/count-card.tsx'
import classes from '#web/dashboard/dashboard.module.css'
import { DashboardSkeleton } from '#web/dashboard/dashboard-skeleton.tsx'
import { RecentFounders } from '#web/founders/recent-founders.tsx'
import { Failed } from '#web/ui/failed.tsx'
import { Page } from '#web/ui/page.tsx'

export const DashboardPage = () => {
  const { data, isPending, isFetching, refetch } = useQuery(dashboard)
  return (
    <Page title="Dashboard">
      {isPending && <DashboardSkeleton />}
      {!isPending && !data && (
        <Failed title="The dashboard could not be loaded" isRetrying={isFetching} retry={refetch} />
      )}
      {data && (
        <div className={classes.dashboard}>
          <div className={classes.counts}>
            <CountCard icon={<IconUsers size={26} stroke={1.5} />} label="Founders Sourced" count={data.founders} />
          </div>
          <div className={classes.lists}>
            <RecentFounders founders={data.recentFounders} reload={refetch} />
          </div>
        </div>
      )}
    </Page>
  )
}
