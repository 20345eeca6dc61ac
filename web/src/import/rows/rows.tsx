import { Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Import, ImportOutcome } from '#contract/import.ts'
import { type ImportField, type ImportFieldName, importKindNamed } from '#contract/import-kinds.ts'
import { URL_MAX } from '#contract/limits.ts'
import { listRows, ROWS_SHOWN, type RowFilter } from '#web/import/api.ts'
import classes from '#web/import/import.module.css'
import { countOf, labelOf, outcomeLabels } from '#web/import/words.ts'
import { LoadingButton } from '#web/ui/buttons/loading-button.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { AddAll } from './add-anyway.tsx'
import { ImportedRow } from './imported-row.tsx'

/** Of a row with a name and an outcome, in pixels: keeps the place of the rows while they load. */
const ROW_HEIGHT = 55

/** The rating and short facts stand first, in sight without scrolling; addresses and long texts follow. */
const rankOf = (field: ImportField & { rule?: { max: number } }) => {
  if (field.name === 'rating') return 0
  return field.rule && field.rule.max < URL_MAX ? 1 : 2
}

/** The counts of all rows by outcome, and the rows of each, from the first one on. */
export function Rows({ import: shown }: { import: Import }) {
  const [filter, setFilter] = useState<RowFilter>('')
  return (
    <div className={classes.rows}>
      <RowFilters counts={shown.counts} value={filter} onChange={setFilter} />
      <AddAll import={shown} />
      <RowsTable key={filter} import={shown} filter={filter} total={countedBy(shown.counts, filter)} />
    </div>
  )
}

function RowsTable({ import: shown, filter, total }: { import: Import; filter: RowFilter; total: number }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    listRows(shown, filter),
  )
  if (error && !data) return <ErrorState title="The rows could not be loaded" error={error} retry={refetch} />
  if (!data) return <Skeleton height={ROW_HEIGHT * (1 + Math.min(total, ROWS_SHOWN))} aria-busy="true" />
  const rows = data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No rows
      </Text>
    )
  }
  const { nameField, fields: all } = importKindNamed(shown.kind)
  const isShown = (field: ImportFieldName) =>
    field !== nameField &&
    (shown.mapping[field] !== undefined || rows.some(({ values }) => values[field] !== undefined))
  const fields = all.filter(({ name }) => isShown(name)).sort((one, other) => rankOf(one) - rankOf(other))
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className={classes.scroll} aria-label="Rows" tabIndex={0}>
        <table className={`${classes.table} ${classes.rowTable}`}>
          <thead>
            <tr>
              <th scope="col">Row and outcome</th>
              {fields.map((field) => (
                <th scope="col" key={field.name}>
                  {labelOf(field)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <ImportedRow key={row.row} import={shown} row={row} fields={fields.map(({ name }) => name)} />
            ))}
          </tbody>
        </table>
      </section>
      <div className={classes.more}>
        {total > rows.length && (
          <Text size="sm" c="dimmed" role="status">
            The first {rows.length.toLocaleString('en')} of {countOf(total, 'row')}
          </Text>
        )}
        {hasNextPage && (
          <LoadingButton variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
            Show more
          </LoadingButton>
        )}
      </div>
    </>
  )
}

type RowFiltersProps = { counts: Import['counts']; value: RowFilter; onChange: (value: RowFilter) => void }

/** The number of rows of each outcome, and beside them of those that are imported with a sentence. Each is a filter. */
function RowFilters({ counts, value, onChange }: RowFiltersProps) {
  const { marked, notes: _notes, records: _records, ...outcomes } = counts
  const all = totalOf(counts)
  const filters: { value: RowFilter; label: string; count: number }[] = [
    { value: '', label: 'All rows', count: all },
    ...(Object.entries(outcomes) as [ImportOutcome, number][]).map(([value, count]) => ({
      ...{ value, count },
      label: outcomeLabels[value],
    })),
    { value: 'marked', label: 'Marked', count: marked },
  ]
  return (
    <fieldset className={classes.filters} data-row-filters>
      <legend className="visually-hidden">Which rows</legend>
      {filters
        .filter((filter) => filter.count > 0 || filter.value === value)
        .map((filter) => (
          <button
            key={filter.value}
            type="button"
            className={classes.filter}
            aria-pressed={filter.value === value}
            data-marked={filter.value === 'marked' || undefined}
            onClick={() => onChange(filter.value)}
          >
            {filter.label} <span className={classes.filterCount}>{filter.count.toLocaleString('en')}</span>
          </button>
        ))}
    </fieldset>
  )
}

/** The number of rows of a filter. Marked rows have an outcome too; notes and records are no rows. */
const countedBy = (counts: Import['counts'], filter: RowFilter) =>
  filter === '' ? totalOf(counts) : (counts[filter] ?? 0)

function totalOf({ marked: _, notes: _notes, records: _records, ...outcomes }: Import['counts']) {
  return Object.values(outcomes).reduce((sum: number, count) => sum + (count ?? 0), 0)
}
