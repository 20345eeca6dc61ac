import { AddFounderButton } from '#web/founders/add-founder-button.tsx'
import { FounderList } from '#web/founders/founder-list.tsx'
import { SearchBox } from '#web/records/search-box.tsx'
import { useSearch } from '#web/records/use-search.ts'
import { Page } from '#web/ui/page.tsx'

export const FoundersPage = () => {
  const [search, setSearch] = useSearch()
  return (
    <Page title="Search Founders" actions={<AddFounderButton />}>
      <SearchBox
        label="Search founders"
        placeholder="Search by name, notes, or company"
        search={search}
        onSearch={setSearch}
      />
      <FounderList search={search} />
    </Page>
  )
}
