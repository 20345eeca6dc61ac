import { IconFolderPlus, IconFolderSearch } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { User } from '#contract/auth.ts'
import { AddCompanyButton } from '#web/companies/add-company-button.tsx'
import { refreshCompany, renewCompany } from '#web/companies/api.ts'
import { AddFounderButton } from '#web/founders/add-founder-button.tsx'
import { refreshFounder, renewFounder } from '#web/founders/api.ts'
import { whenIdle } from '#web/lib/idle.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { SearchBox } from '#web/records/search-box.tsx'
import { addTotals } from '#web/records/totals.ts'
import { type Refreshing, useRefresh } from '#web/records/use-refresh.ts'
import { useSearch } from '#web/records/use-search.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { importQuestionDialog } from '#web/ui/questions.tsx'
import { companyKind } from './company-kind.tsx'
import { FilterTabs } from './filter-tabs.tsx'
import { founderKind } from './founder-kind.tsx'
import { importEditForm } from './lazy-edit-form.ts'
import { MyCounts } from './my-counts.tsx'
import { MyRecordCard } from './my-record-card.tsx'
import { type Entry, MyRecordList } from './my-record-list.tsx'
import { type Mine, useMine } from './use-mine.ts'
import { useShow } from './use-show.ts'

/** What one has added or written notes on, of either kind. */
export const MyRecords = ({ user }: { user: User }) => {
  const client = useQueryClient()
  useEffect(() => whenIdle(loadNext), [])
  const [search, setSearch] = useSearch()
  const [show, setShow] = useShow()
  const founders = useMine(founderKind, search, user)
  const companies = useMine(companyKind, search, user)

  const isFounder = (id: string) => [...(founders.rows ?? []), ...founders.others].some((row) => row.id === id)
  const refreshing = useRefresh({
    run: (id) => (isFounder(id) ? refreshFounder(id) : refreshCompany(id)),
    success: (name) => `${name} refreshed successfully!`,
    failure: 'Failed to refresh data',
    reload: (id) => (isFounder(id) ? renewFounder(client, id) : renewCompany(client, id)),
  })

  const shared = { user, search, refreshing }
  const parts = {
    founders: { list: founders.list, total: founders.foundTotal, ...entriesOf(founders, shared) },
    companies: { list: companies.list, total: companies.foundTotal, ...entriesOf(companies, shared) },
  }
  const totals = { founders: founders.foundTotal, companies: companies.foundTotal }
  return (
    <>
      <MyCounts founders={founders.total} companies={companies.total} />
      <SearchBox label="Search your records" placeholder="Search your records" search={search} onSearch={setSearch} />
      <FilterTabs
        show={show}
        setShow={setShow}
        totals={{
          all: addTotals([totals.founders, totals.companies]),
          founders: addTotals([totals.founders]),
          companies: addTotals([totals.companies]),
        }}
      >
        <MyRecordList
          parts={show === 'all' ? [parts.founders, parts.companies] : [parts[show]]}
          nothing={search === '' ? <NothingYet /> : <NoMatch />}
        />
      </FilterTabs>
    </>
  )
}

/** What editing and deleting will need. When it cannot be fetched now, it is asked for again by then. */
const loadNext = () => {
  for (const loading of [importEditForm(), importQuestionDialog()]) loading.catch(() => {})
}

type Shared = { user: User; search: string; refreshing: Refreshing }

const entriesOf = <Row extends RecordRow>({ kind, edits, notedIds, rows, others }: Mine<Row>, shared: Shared) => {
  const entryOf = (record: Row): Entry => ({
    id: record.id,
    createdAt: record.createdAt,
    isForm: edits.records.some(({ id }) => id === record.id),
    draw: (onDeleted) => (
      <MyRecordCard
        kind={kind}
        record={record}
        edits={edits}
        isNoted={notedIds.has(record.id)}
        onDeleted={onDeleted}
        {...shared}
      />
    ),
  })
  return { entries: rows?.map(entryOf), others: others.map(entryOf) }
}

const NothingYet = () => (
  <EmptyState
    icon={<IconFolderPlus size={28} stroke={1.5} />}
    title="Start Building Your Portfolio"
    text="What you add, or write a note on, is collected here."
    action={
      <>
        <AddFounderButton />
        <AddCompanyButton />
      </>
    }
  />
)

const NoMatch = () => (
  <EmptyState
    icon={<IconFolderSearch size={28} stroke={1.5} />}
    title="No records found"
    text="Try adjusting your search terms"
  />
)
