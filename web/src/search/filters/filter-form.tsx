import { Button, NativeSelect } from '@mantine/core'
import { filtersOf } from '#contract/filters.ts'
import { ExportThese } from '#web/export/export-these.tsx'
import type { SortName } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { Finding } from '../use-finding.ts'
import { controls } from './controls.tsx'
import classes from './filter-form.module.css'
import { sortWords } from './sorts.ts'

type FilterFormProps = { kind: RecordKind; finding: Finding; isEmpty: boolean }

/** The sort and every filter of a kind. Each change is applied to the list immediately. */
export function FilterForm({ kind, finding, isEmpty }: FilterFormProps) {
  const { query, change, clearFilters } = finding
  const offered: string[] = filtersOf(kind).map(([name]) => name)
  return (
    <div className={classes.form}>
      <div className={classes.fields}>
        <NativeSelect
          label="Sort by"
          data={Object.entries(sortWords).map(([value, label]) => ({ value, label }))}
          value={query.sort}
          onChange={({ currentTarget }) => change({ sort: plainSort(currentTarget.value as SortName) })}
        />
        {Object.entries(controls)
          .filter(([name]) => offered.includes(name))
          .map(([name, Control]) => Control && <Control key={name} filters={query.filters} change={change} />)}
      </div>
      <div className={classes.foot}>
        {!isEmpty && <ExportThese kind={kind} query={query} />}
        <Button variant="subtle" size="sm" className={classes.clear ?? ''} onClick={clearFilters}>
          Clear all
        </Button>
      </div>
    </div>
  )
}

/** The default order has no parameter in the address. */
const plainSort = (sort: SortName) => (sort === 'newest' ? '' : sort)
