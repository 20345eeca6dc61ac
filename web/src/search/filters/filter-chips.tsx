import { Button } from '@mantine/core'
import { IconCheck, IconChevronDown, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { filters as declared, filtersOf, type OfferedFilter, ownFilters } from '#contract/filters.ts'
import { getFellow } from '#web/fellows/api.ts'
import { filtersIn } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import type { Finding } from '../use-finding.ts'
import { ChipWords } from './chip-words.tsx'
import type { Filters } from './control-props.ts'
import classes from './filter-chips.module.css'

const FilterPanel = lazyPart(
  'The filters could not be loaded.',
  async () => (await import('./filter-panel.tsx')).FilterPanel,
)

/** The filters with a chip of their own. All others are behind More, and have a chip while they are in use. */
const MAIN = { stage: 'Stage', rating: 'Rating', tag: 'Tag', added: 'Added' } as const
const MORE = 'more'
const MINE = 'mine'

type ChipName = OfferedFilter | typeof MORE

/** Only links set a cohort, so its chip has no control. */
const isOnlyLinked = (name: ChipName) => name !== MORE && declared[name].chip === 'cohort'

const isMain = (name: string): name is keyof typeof MAIN => Object.hasOwn(MAIN, name)

type FilterChipsProps = {
  kind: RecordKind
  finding: Pick<Finding, 'query' | 'change' | 'clearFilters'>
  /** Filters that the screen has another control for. */
  omitted?: readonly OfferedFilter[]
  /** Below the controls of More, in narrow windows. */
  more?: ReactNode
  /** After the chips. */
  last?: ReactNode
}

/** A row of chips. Each says what it holds, and opens its control. */
export function FilterChips({ kind, finding, omitted = [], more, last }: FilterChipsProps) {
  const { query, change, clearFilters } = finding
  const { filters } = query
  const [open, setOpen] = useState<ChipName>()
  const row = useRef<HTMLUListElement>(null)
  const { by = '' } = filters
  const { isError: hasFailed, refetch } = useQuery({ ...getFellow(by), enabled: by !== '' })
  const offered = filtersOf(kind)
    .map(([name]) => name as OfferedFilter)
    .filter((name) => !omitted.includes(name))
  const used = filtersIn(filters).map(([name]) => name)
  const isUsed = (name: ChipName) => used.some((one) => one === name)
  const isOfKind = (name: string) => name in ownFilters[kind.name]
  const others = offered
    .filter((name) => !isMain(name) && name !== MINE)
    .sort((one, other) => Number(isOfKind(other)) - Number(isOfKind(one)))
  const mains = (Object.keys(MAIN) as OfferedFilter[]).filter((name) => offered.includes(name))
  const shown: ChipName[] = [...mains, MORE, ...others.filter(isUsed)]

  const buttonOf = (name: string) => row.current?.querySelector<HTMLButtonElement>(`[data-chip="${name}"]`)
  const close = () => {
    const opener = open && (buttonOf(open) ?? buttonOf(MORE))
    setOpen(undefined)
    opener?.focus()
  }
  const remove = (name: OfferedFilter) => {
    // A chip that goes leaves the focus to More.
    buttonOf(isMain(name) ? name : MORE)?.focus()
    change(Object.fromEntries(Object.keys(declared[name].parameters).map((parameter) => [parameter, ''])))
  }
  const isMine = filters.mine === 'true'

  return (
    <div className={classes.root}>
      <ul ref={row} className={classes.chips} aria-label="Filters">
        <li className={classes.chip} data-used={isMine || undefined}>
          <button
            type="button"
            data-chip={MINE}
            aria-pressed={isMine}
            onClick={() => change({ mine: isMine ? '' : 'true' })}
          >
            {isMine && <IconCheck size={16} stroke={1.5} aria-hidden="true" />}
            Mine
          </button>
        </li>
        {shown.map((name) =>
          name !== MORE && isOnlyLinked(name) ? (
            <li key={name} className={classes.chip} data-used>
              <RemoveButton isWhole name={name} filters={filters} onClick={() => remove(name)} />
            </li>
          ) : (
            <li key={name} className={classes.chip} data-used={isUsed(name) || undefined}>
              <button
                type="button"
                data-chip={name}
                aria-haspopup="dialog"
                aria-expanded={open === name}
                onClick={() => setOpen(open === name ? undefined : name)}
              >
                <span id={`words-of-${name}`} className={classes.words}>
                  {name === MORE ? (
                    'More'
                  ) : isUsed(name) ? (
                    <ChipWords name={name} applied={filters} />
                  ) : (
                    isMain(name) && MAIN[name]
                  )}
                </span>
                {!isUsed(name) && <IconChevronDown size={16} stroke={1.5} aria-hidden="true" />}
              </button>
              {name !== MORE && isUsed(name) && (
                <RemoveButton name={name} filters={filters} onClick={() => remove(name)} />
              )}
            </li>
          ),
        )}
        {hasFailed && (
          <li>
            <span role="alert">The name of the fellow could not be loaded.</span>
            <Button
              variant="subtle"
              size="xs"
              onClick={() => {
                buttonOf('by')?.focus()
                void refetch()
              }}
            >
              Try again
            </Button>
          </li>
        )}
        {used.length > 0 && (
          <li>
            <Button
              variant="subtle"
              size="xs"
              onClick={() => {
                buttonOf(MORE)?.focus()
                clearFilters()
              }}
            >
              Clear all
            </Button>
          </li>
        )}
        {last && <li>{last}</li>}
      </ul>
      {open !== undefined && (
        <FilterPanel
          key={open}
          title={open === MORE ? 'More filters' : isMain(open) ? MAIN[open] : 'Filter'}
          names={open === MORE ? others : [open]}
          kind={kind}
          filters={filters}
          change={change}
          opener={buttonOf(open) ?? null}
          onClose={close}
          onCloseFailed={close}
        >
          {open === MORE && more}
        </FilterPanel>
      )}
    </div>
  )
}

type RemoveButtonProps = { name: OfferedFilter; filters: Filters; isWhole?: boolean; onClick: () => void }

/** `isWhole`: the words are its own, where a chip has no control. Otherwise they are those of the button beside it. */
const RemoveButton = ({ name, filters, isWhole = false, onClick }: RemoveButtonProps) => (
  <button
    type="button"
    className={isWhole ? undefined : classes.remove}
    aria-labelledby={`remove-${name} words-of-${name}`}
    onClick={onClick}
  >
    <span id={`remove-${name}`} className="visually-hidden">
      Remove filter:
    </span>
    {isWhole && (
      <span id={`words-of-${name}`} className={classes.words}>
        <ChipWords name={name} applied={filters} />
      </span>
    )}
    <IconX size={16} stroke={1.5} aria-hidden="true" />
  </button>
)
