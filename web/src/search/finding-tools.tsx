import { NativeSelect } from '@mantine/core'
import { IconLayoutList, IconTable } from '@tabler/icons-react'
import { ExportThese } from '#web/export/export-these.tsx'
import type { SortName } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { sortWords } from './filters/sorts.ts'
import classes from './finding-tools.module.css'
import type { Finding } from './use-finding.ts'

type FindingToolsProps = { kind: RecordKind; finding: Finding; isEmpty: boolean }

/** The sort of a list, its export, and the switch between cards and table. */
export const FindingTools = ({ kind, finding: { query, isTable, change }, isEmpty }: FindingToolsProps) => (
  <div className={classes.root}>
    <NativeSelect
      aria-label="Sort by"
      className={classes.sort ?? ''}
      data={Object.entries(sortWords).map(([value, label]) => ({ value, label }))}
      value={query.sort}
      onChange={({ currentTarget }) => change({ sort: plainSort(currentTarget.value as SortName) })}
    />
    <div className={classes.export}>{!isEmpty && <ExportThese kind={kind} query={query} />}</div>
    <IconButton
      label={isTable ? 'Show as cards' : 'Show as table'}
      icon={isTable ? <IconLayoutList size={20} stroke={1.5} /> : <IconTable size={20} stroke={1.5} />}
      onClick={() => change({ view: isTable ? '' : 'table' })}
    />
  </div>
)

/** The default order has no parameter in the address. */
const plainSort = (sort: SortName) => (sort === 'newest' ? '' : sort)
