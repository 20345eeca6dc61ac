import { IconArrowDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Changes, SortName } from '#web/records/record-query.ts'
import classes from './record-table.module.css'

type SortHeaderProps = {
  /** Absent for a column that lists cannot be sorted by. */
  sort: SortName | undefined
  current: SortName
  className: string | undefined
  change: (changes: Changes) => void
  children: ReactNode
}

/** The head of a column. Each sort has one direction: the highest or newest first. */
export const SortHeader = ({ sort, current, className, change, children }: SortHeaderProps) =>
  sort === undefined ? (
    <th scope="col" className={className}>
      {children}
    </th>
  ) : (
    <th scope="col" className={className} aria-sort={sort === current ? 'descending' : 'none'}>
      <button
        type="button"
        className={classes.sort}
        onClick={() => sort !== current && change({ sort: sort === 'newest' ? '' : sort })}
      >
        {children}
        <IconArrowDown size={14} stroke={1.5} aria-hidden="true" className={classes.arrow} />
      </button>
    </th>
  )
