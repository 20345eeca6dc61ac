import type { Import, ImportOutcome } from '#contract/import.ts'
import type { RowFilter } from '#web/import/api.ts'
import classes from '#web/import/import.module.css'
import { outcomeLabels } from '#web/import/words.ts'

type RowFiltersProps = { counts: Import['counts']; value: RowFilter; onChange: (value: RowFilter) => void }

/** The number of rows of each outcome, and beside them of those that are imported with a sentence. Each is a filter. */
export function RowFilters({ counts, value, onChange }: RowFiltersProps) {
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
export const countedBy = (counts: Import['counts'], filter: RowFilter) =>
  filter === '' ? totalOf(counts) : (counts[filter] ?? 0)

function totalOf({ marked: _, notes: _notes, records: _records, ...outcomes }: Import['counts']) {
  return Object.values(outcomes).reduce((sum: number, count) => sum + (count ?? 0), 0)
}
