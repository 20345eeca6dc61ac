import { IconBuildingSkyscraper, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { RecentCompanies } from '#web/companies/recent-companies.tsx'
import { dashboard } from '#web/dashboard/api.ts'
import { CountCard } from '#web/dashboard/count-card.tsx'
import classes from '#web/dashboard/dashboard.module.css'
import { DashboardSkeleton } from '#web/dashboard/dashboard-skeleton.tsx'
import { FellowPerformance } from '#web/dashboard/fellow-performance.tsx'
import { RecentFounders } from '#web/founders/recent-founders.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Page } from '#web/ui/page.tsx'

export const DashboardPage = () => {
  const { data, isPending, isFetching, refetch } = useQuery(dashboard)
  return (
    <Page title="Dashboard">
      {isPending && <DashboardSkeleton />}
      {!isPending && !data && (
        <ErrorState title="The dashboard could not be loaded" isRetrying={isFetching} retry={refetch} />
      )}
      {data && (
        <div className={classes.dashboard}>
          <div className={classes.counts}>
            <CountCard icon={<IconUsers size={26} stroke={1.5} />} label="Founders Sourced" count={data.founders} />
            <CountCard
              icon={<IconBuildingSkyscraper size={26} stroke={1.5} />}
              label="Companies Sourced"
              count={data.companies}
            />
          </div>
          {data.fellows.length > 0 && <FellowPerformance fellows={data.fellows} />}
          <div className={classes.lists}>
            <RecentFounders founders={data.recentFounders} reload={refetch} />
            <RecentCompanies companies={data.recentCompanies} reload={refetch} />
          </div>
        </div>
      )}
    </Page>
  )
}
