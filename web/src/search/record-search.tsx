import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { addPath } from '#web/paths.ts'
import { AddButton } from '#web/records/add-button.tsx'
import { listRecords } from '#web/records/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { RecordList } from '#web/records/record-list.tsx'
import { allRecords, useRecordQuery } from '#web/records/record-query.ts'
import { SearchBox } from '#web/records/search-box.tsx'
import { useRefresh } from '#web/records/use-refresh.ts'
import { useReloadList } from '#web/records/use-reload-list.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ListedRecord } from './listed-record.tsx'
import classes from './record-search.module.css'
import { useAdded } from './use-added.ts'

/** The search of a kind of record: the box and its results. */
export function RecordSearch({ kind }: { kind: RecordKind }) {
  const { query, setSearch } = useRecordQuery(allRecords)
  const { search } = query
  const list = useInfiniteQuery(listRecords(kind, query))
  const { isEmptied, reload } = useReloadList()
  const refreshing = useRefresh({
    success: kind.texts.refreshed,
    failure: `Failed to refresh ${kind.name} data`,
    reload,
  })
  const { added, slotsOf } = useAdded()
  return (
    <>
      {added && (
        <div className={classes.added}>
          <span>
            <bdi>{added.name}</bdi> was added
          </span>
          <Button component={Link} to={addPath(kind)} variant="default" size="xs">
            Add another
          </Button>
        </div>
      )}
      <RecordList
        list={list}
        searchBox={
          <SearchBox
            label={`Search ${kind.path}`}
            placeholder={kind.texts.searchPlaceholder}
            search={search}
            onSearch={setSearch}
          />
        }
        isEmptied={isEmptied}
        noun={{ one: kind.name, many: kind.path }}
        isSquare={kind.isSquare}
        nothing={search === '' ? <NothingYet kind={kind} /> : <NoMatch kind={kind} />}
      >
        {(record) => (
          <ListedRecord
            kind={kind}
            record={record}
            search={search}
            query={query}
            refreshing={refreshing}
            slots={slotsOf(record)}
          />
        )}
      </RecordList>
    </>
  )
}

const NothingYet = ({ kind }: { kind: RecordKind }) => (
  <EmptyState
    icon={<kind.icons.nothingYet size={28} stroke={1.5} />}
    title={`Start Sourcing ${kind.plural}`}
    text={kind.texts.nothingYet}
    action={<AddButton kind={kind} />}
  />
)

const NoMatch = ({ kind }: { kind: RecordKind }) => (
  <EmptyState
    icon={<kind.icons.noMatch size={28} stroke={1.5} />}
    title={`No ${kind.path} found`}
    text="Try adjusting your search terms"
  />
)
