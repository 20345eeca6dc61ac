import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { MouseEvent, ReactNode } from 'react'
import { filters as declared, type OfferedFilter } from '#contract/filters.ts'
import { getFellow } from '#web/fellows/api.ts'
import { type Changes, filtersIn } from '#web/records/cache/record-query.ts'
import { FILTERS_BUTTON } from '../finding-tools.tsx'
import type { Finding } from '../use-finding.ts'
import { ChipWords } from './chip-words.tsx'
import classes from './chosen.module.css'
import { controls } from './controls.tsx'
import { sortWords } from './sorts.ts'

/** What the list is filtered and sorted by, each with a button to remove it. */
export function Chosen({ finding: { query, change, clearFilters } }: { finding: Finding }) {
  const { filters, sort } = query
  const used = filtersIn(filters).map(([name]) => name)
  const applied = (Object.keys(controls) as OfferedFilter[]).filter((name) => used.includes(name))
  const { by = '' } = filters
  const { isError: hasFailed, refetch } = useQuery({ ...getFellow(by), enabled: by !== '' })
  const isSorted = sort !== 'newest'
  const isLast = applied.length + Number(isSorted) === 1

  const remove = ({ currentTarget }: MouseEvent<HTMLElement>, changes: Changes) => {
    const chip = currentTarget.closest('li')
    const beside = chip?.nextElementSibling ?? chip?.previousElementSibling
    const next = isLast ? null : beside?.querySelector('button')
    ;(next ?? document.getElementById(FILTERS_BUTTON))?.focus()
    change(changes)
  }
  const chips: { name: string; words: ReactNode; without: Changes }[] = applied.map((name) => ({
    name,
    words: <ChipWords name={name} applied={filters} />,
    without: Object.fromEntries(Object.keys(declared[name].parameters).map((parameter) => [parameter, ''])),
  }))
  if (isSorted)
    chips.push({ name: 'sort', words: <>Sorted by {sortWords[sort].toLowerCase()}</>, without: { sort: '' } })
  return (
    <ul className={classes.chips} aria-label="Filters in use">
      {chips.map(({ name, words, without }) => (
        <Chip key={name} onRemove={(event) => remove(event, without)}>
          {words}
        </Chip>
      ))}
      {hasFailed && (
        <li>
          <span role="alert">The name of the fellow could not be loaded.</span>
          <Button
            variant="subtle"
            size="xs"
            onClick={() => {
              document.getElementById(FILTERS_BUTTON)?.focus()
              void refetch()
            }}
          >
            Try again
          </Button>
        </li>
      )}
      <li>
        <Button
          variant="subtle"
          size="xs"
          onClick={() => {
            document.getElementById(FILTERS_BUTTON)?.focus()
            clearFilters()
          }}
        >
          Clear all
        </Button>
      </li>
    </ul>
  )
}

type ChipProps = { children: ReactNode; onRemove: (event: MouseEvent<HTMLElement>) => void }

const Chip = ({ children, onRemove }: ChipProps) => (
  <li className={classes.place}>
    <button type="button" className={classes.chip} onClick={onRemove}>
      <span className="visually-hidden">Remove filter: </span>
      <span className={classes.words}>{children}</span>
      <IconX size={16} stroke={1.5} aria-hidden="true" className={classes.cross} />
    </button>
  </li>
)
