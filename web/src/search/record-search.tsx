import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router'
import { SAVED } from '#contract/search-news.ts'
import { ExportThese } from '#web/export/export-these.tsx'
import { ApiError } from '#web/lib/http.ts'
import { addPath } from '#web/paths.ts'
import { AddButton } from '#web/records/add-button.tsx'
import { listRecords } from '#web/records/api.ts'
import { filtersIn } from '#web/records/cache/record-query.ts'
import { CardSkeletons } from '#web/records/card/card-skeleton.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { RecordList } from '#web/records/list/record-list.tsx'
import { SearchBox } from '#web/records/list/search-box.tsx'
import { useRefresh } from '#web/records/use-refresh.ts'
import { useReloadList } from '#web/records/use-reload-list.ts'
import { SaveButton } from '#web/searches/save-button.tsx'
import { ViewsRow } from '#web/searches/views-row.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { useBelow } from './below/use-below.ts'
import { FilterChips } from './filters/filter-chips.tsx'
import { FindingTools } from './finding-tools.tsx'
import { ListedRecord } from './listed-record.tsx'
import classes from './record-search.module.css'
import { useFinding } from './use-finding.ts'

// What a plain list does not show loads when it is used.
const RecordTable = lazyPart(
  'The table could not be loaded.',
  async () => (await import('./table/record-table.tsx')).RecordTable,
)
const BelowResults = lazyPart(
  'Records that mention the term, and similar names, could not be loaded.',
  async () => (await import('./below/below-results.tsx')).BelowResults,
)

/** The search of a kind of record: the box and its results. */
export function RecordSearch({ kind }: { kind: RecordKind }) {
  const finding = useFinding(kind)
  const { query, isTable, change } = finding
  const { search } = query
  const list = useInfiniteQuery(listRecords(kind, query))
  const { isEmptied, reload } = useReloadList()
  const refreshing = useRefresh({
    success: kind.texts.refreshed,
    failure: `Failed to refresh ${kind.name} data`,
    reload,
  })
  const { added, slotsOf } = useAdded()
  const isFiltered = filtersIn(query.filters).length > 0
  const [parameters] = useSearchParams()
  // An open view has its own.
  const isSavable = (isFiltered || search !== '') && !parameters.has(SAVED)
  const skeletons = <CardSkeletons label={`Loading ${kind.path}`} isSquare={kind.isSquare} />
  const found = list.data?.pages.reduce((sum, { rows }) => sum + rows.length, 0) ?? 0
  const isWhole = list.data && !list.hasNextPage && !list.isPlaceholderData
  const below = useBelow(kind, query, isWhole ? found : undefined)
  if (list.error instanceof ApiError && list.error.fields.cohort) return <WithoutCohort />
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
            onSearch={finding.setSearch}
          />
        }
        tools={<FindingTools kind={kind} finding={finding} isEmpty={found === 0} />}
        chosen={
          <>
            <ViewsRow key={kind.path} kind={kind} />
            <FilterChips
              kind={kind}
              finding={finding}
              more={found !== 0 && <ExportThese kind={kind} query={finding.query} />}
              last={isSavable && <SaveButton kind={kind} />}
            />
          </>
        }
        below={search !== '' && <BelowResults key={search} kind={kind} query={query} below={below} change={change} />}
        draw={
          isTable
            ? (shown) => <RecordTable kind={kind} query={query} change={change} {...shown} fallback={skeletons} />
            : undefined
        }
        isEmptied={isEmptied}
        noun={{ one: kind.name, many: kind.path }}
        isSquare={kind.isSquare}
        nothing={
          search === '' && !isFiltered ? (
            <NothingYet kind={kind} />
          ) : below.hasAny ? (
            <p className={classes.nothing}>{noneFound(kind, search)}</p>
          ) : (
            <NoMatch kind={kind} search={search} clear={isFiltered && finding.clearFilters} />
          )
        }
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

/** The link of a number that another account got, or that the server no longer knows: all records are shown instead. */
function WithoutCohort() {
  const [parameters] = useSearchParams()
  const rest = new URLSearchParams(parameters)
  rest.delete('cohort')
  return <Navigate replace to={{ search: String(rest) }} />
}

const NothingYet = ({ kind }: { kind: RecordKind }) => (
  <EmptyState
    icon={<kind.icons.nothingYet size={28} stroke={1.5} />}
    title={`Start Sourcing ${kind.plural}`}
    text={kind.texts.nothingYet}
    action={<AddButton kind={kind} />}
  />
)

const noneFound = (kind: RecordKind, search: string) =>
  search === '' ? `No ${kind.path} match these filters` : `No ${kind.path} found`

type NoMatchProps = { kind: RecordKind; search: string; clear: false | (() => void) }

const NoMatch = ({ kind, search, clear }: NoMatchProps) => (
  <EmptyState
    icon={<kind.icons.noMatch size={28} stroke={1.5} />}
    title={noneFound(kind, search)}
    text={search === '' ? 'Remove a filter to see more' : 'Try adjusting your search terms'}
    action={
      clear && (
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      )
    }
  />
)

type Added = { id: string; name: string }

/** The record that was just added, until its list is left. Its card takes the focus once. */
const useAdded = () => {
  const { state } = useLocation()
  const [added] = useState((state as { added?: Added } | null)?.added)
  const isFocused = useRef(false)
  const focusCard = (card: HTMLElement | null) => {
    if (!card || isFocused.current) return
    isFocused.current = true
    // Someone who is typing already goes on.
    if (!document.activeElement?.matches('input, textarea')) focusWhenShown(card)
  }
  return { added, slotsOf: ({ id }: { id: string }) => (id === added?.id ? { ref: focusCard } : {}) }
}
