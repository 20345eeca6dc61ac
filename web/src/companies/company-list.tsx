import { IconBuildingPlus, IconListSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { RecordList } from '#web/records/record-list.tsx'
import { useRefresh } from '#web/records/use-refresh.ts'
import { useReloadList } from '#web/records/use-reload-list.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { AddCompanyButton } from './add-company-button.tsx'
import { companyList, companyLists, refreshCompany, renewCompany } from './api.ts'
import { CompanyCard } from './company-card.tsx'

export const CompanyList = ({ search }: { search: string }) => {
  const list = useInfiniteQuery(companyList(search))
  const { isEmptied, reload } = useReloadList(companyLists, renewCompany)
  const refreshing = useRefresh({
    run: refreshCompany,
    success: (name) => `${name} refreshed successfully!`,
    failure: 'Failed to refresh company data',
    reload,
  })
  return (
    <RecordList
      list={list}
      isEmptied={isEmptied}
      noun={{ one: 'company', many: 'companies' }}
      nothing={search === '' ? <NothingYet /> : <NoMatch />}
    >
      {(company) => <CompanyCard company={company} search={search} refreshing={refreshing} />}
    </RecordList>
  )
}

const NothingYet = () => (
  <EmptyState
    icon={<IconBuildingPlus size={28} stroke={1.5} />}
    title="Start Sourcing Companies"
    text="Add the first company worth watching. Everyone on the platform will find it here."
    action={<AddCompanyButton />}
  />
)

const NoMatch = () => (
  <EmptyState
    icon={<IconListSearch size={28} stroke={1.5} />}
    title="No companies found"
    text="Try adjusting your search terms"
  />
)
