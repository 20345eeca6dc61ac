import { useQueryClient } from '@tanstack/react-query'
import type { Company } from '#contract/company.ts'
import { paths } from '#web/paths.ts'
import { RecentRecord, RecentRecords } from '#web/records/recent-records.tsx'
import { useRefresh } from '#web/records/use-refresh.ts'
import { refreshCompany, renewCompany } from './api.ts'

type RecentCompaniesProps = { companies: Company[]; reload: () => Promise<unknown> }

/** The dashboard's list of the newest companies. `reload` brings a refreshed one onto the dashboard. */
export const RecentCompanies = ({ companies, reload }: RecentCompaniesProps) => {
  const client = useQueryClient()
  const refreshing = useRefresh({
    run: refreshCompany,
    success: (name) => `${name} refreshed successfully!`,
    failure: 'Failed to refresh',
    reload: (id) => Promise.all([renewCompany(client, id), reload()]),
  })
  return (
    <RecentRecords
      title="Recent Companies"
      all={{ to: paths.companies, label: 'View all companies' }}
      nothing="No companies added yet"
    >
      {companies.map((company) => (
        <RecentRecord key={company.id} record={company} square link={linkOf(company)} refreshing={refreshing} />
      ))}
    </RecentRecords>
  )
}

const linkOf = ({ website, linkedIn }: Company) =>
  website ? { label: 'Website', address: website } : { label: 'LinkedIn', address: linkedIn }
