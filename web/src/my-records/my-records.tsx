import { Paper } from '@mantine/core'
import { IconChartBar, IconFolderPlus, IconFolderSearch } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import type { User } from '#contract/auth.ts'
import type { Kind } from '#contract/kinds.ts'
import { kinds } from '#web/kinds.ts'
import { whenIdle } from '#web/lib/idle.ts'
import { useQueryParam } from '#web/lib/use-query-param.ts'
import { paths } from '#web/paths.ts'
import { AddButton } from '#web/records/add-button.tsx'
import { refetchRecord } from '#web/records/cache/list-cache.ts'
import { myRecords, useRecordQuery } from '#web/records/cache/record-query.ts'
import { SearchBox } from '#web/records/list/search-box.tsx'
import { addTotals, type Total } from '#web/records/totals.ts'
import { useRefresh } from '#web/records/use-refresh.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { importConfirmDialog } from '#web/ui/dialogs/confirm-dialog-host.tsx'
import { CountTabs } from '#web/ui/lists/count-tabs.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { myNotes } from './api.ts'
import { MyRecordCard } from './my-record-card.tsx'
import { MyRecordList } from './my-record-list.tsx'
import classes from './my-records.module.css'
import { type MyRecordsOfKind, useMyRecords } from './use-my-records.ts'

/** The records that the fellow has added or written notes on, of every kind. */
export function MyRecords({ user }: { user: User }) {
  const client = useQueryClient()
  useEffect(() => whenIdle(loadNext), [])
  const { query, setSearch } = useRecordQuery(myRecords)
  const { search } = query
  const owner = useOwner()
  const [filter, setFilter] = useKindFilter()
  // biome-ignore lint/correctness/useHookAtTopLevel: the list of kinds never changes, so the hooks keep their order
  const parts = kinds.map((kind) => useMyRecords(kind, query, owner))
  const notedIds = new Set(useQuery(myNotes).data)
  const refreshing = useRefresh({
    success: (name) => `${name} refreshed successfully!`,
    failure: 'Failed to refresh data',
    reload: (kind, id) => refetchRecord(client, kind, id),
  })
  return (
    <>
      <Counts parts={parts} />
      <SearchBox label="Search your records" placeholder="Search your records" search={search} onSearch={setSearch} />
      <FilterTabs filter={filter} setFilter={setFilter} totals={parts}>
        <MyRecordList
          parts={parts.filter(({ kind }) => filter === '' || filter === kind.path)}
          nothing={<Nothing search={search} filter={filter} hasAny={parts.some(({ total }) => total !== '0')} />}
        >
          {(record, { kind, edits, isLeftOut }, onDeleted) => (
            <MyRecordCard
              kind={kind}
              record={record}
              edits={edits}
              isLeftOut={isLeftOut(record)}
              isNoted={notedIds.has(record.id)}
              user={user}
              search={search}
              query={query}
              refreshing={refreshing}
              onDeleted={onDeleted}
            />
          )}
        </MyRecordList>
      </FilterTabs>
    </>
  )
}

/** Preloads the code for editing and deleting. If that fails, it is loaded on use. */
const loadNext = () => {
  for (const loading of [importConfirmDialog(), ...kinds.map(({ loadForm }) => loadForm())]) loading.catch(() => {})
}

/** The number of the fellow's records, independent of the search, and what has become of them. */
const Counts = ({ parts }: { parts: MyRecordsOfKind[] }) => (
  <div className={classes.countsAndFigures}>
    <dl className={classes.counts}>
      {parts.map(({ kind, total }) => (
        <Count key={kind.name} label={`My ${kind.plural}`} total={addTotals([total])} />
      ))}
      <Count label="Total Records" total={addTotals(parts.map(({ total }) => total))} />
    </dl>
    <Link to={paths.myFigures} className={classes.figures}>
      <IconChartBar size={18} stroke={1.5} aria-hidden="true" />
      My figures
    </Link>
  </div>
)

const Count = ({ label, total }: { label: string; total: string | undefined }) => (
  <Paper withBorder className={classes.count}>
    <dt className={classes.countLabel}>{label}</dt>
    <dd className={classes.number}>{total ?? '…'}</dd>
  </Paper>
)

type NothingProps = { search: string; filter: Filter; hasAny: boolean }

/** The empty state: no match, no record of the kind, or no record. */
const Nothing = ({ search, filter, hasAny }: NothingProps) => {
  if (search === '' && !hasAny) return <NothingYet />
  const kind = kinds.find(({ path }) => path === filter)
  return (
    <EmptyState
      icon={<IconFolderSearch size={28} stroke={1.5} />}
      title="No records found"
      text={search === '' ? `You have no ${filter} yet. ${COLLECTED}` : 'Try adjusting your search terms'}
      action={search === '' && kind && <AddButton kind={kind} />}
    />
  )
}

const COLLECTED = 'Records you add or comment on appear here.'

const NothingYet = () => (
  <EmptyState
    icon={<IconFolderPlus size={28} stroke={1.5} />}
    title="Start Building Your Portfolio"
    text={COLLECTED}
    action={kinds.map((kind, place) => (
      <AddButton key={kind.name} kind={kind} variant={place === 0 ? 'filled' : 'default'} />
    ))}
  />
)

/** The path of a kind, or all kinds. */
type Filter = '' | Kind['path']

/** The filter of the fellow's records, stored in the address. */
function useKindFilter() {
  const [value, setFilter] = useQueryParam('show')
  const filter: Filter = kinds.find(({ path }) => path === value)?.path ?? ''
  return [filter, setFilter] as const
}

/** Tabs have no empty value. */
const ALL = 'all'

type FilterTabsProps = {
  filter: Filter
  setFilter: (filter: string) => void
  /** The number of results of each kind. */
  totals: { kind: Kind; foundTotal: Total }[]
  children: ReactNode
}

/** `children` is the content of the chosen tab. */
const FilterTabs = ({ filter, setFilter, totals, children }: FilterTabsProps) => (
  <CountTabs
    label="Which records"
    value={filter || ALL}
    onChange={(filter) => setFilter(filter === ALL ? '' : filter)}
    tabs={[
      { value: ALL, label: 'All Records', count: addTotals(totals.map(({ foundTotal }) => foundTotal)) },
      ...totals.map(({ kind: { path, plural }, foundTotal }) => ({
        value: path,
        label: `${plural} Only`,
        count: addTotals([foundTotal]),
      })),
    ]}
  >
    {children}
  </CountTabs>
)
