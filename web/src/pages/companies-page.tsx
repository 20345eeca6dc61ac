import { AddCompanyButton } from '#web/companies/add-company-button.tsx'
import { CompanyList } from '#web/companies/company-list.tsx'
import { SearchBox } from '#web/records/search-box.tsx'
import { useSearch } from '#web/records/use-search.ts'
import { Page } from '#web/ui/page.tsx'

export const CompaniesPage = () => {
  const [search, setSearch] = useSearch()
  return (
    <Page title="Search Companies" actions={<AddCompanyButton />}>
      <SearchBox label="Search companies" placeholder="Search by name or notes" search={search} onSearch={setSearch} />
      <CompanyList search={search} />
    </Page>
  )
}
