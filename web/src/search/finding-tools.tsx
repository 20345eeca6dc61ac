import { Button } from '@mantine/core'
import { IconFilter, IconLayoutList, IconTable } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { filtersIn } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { later } from '#web/ui/states/later.tsx'
import classes from './finding-tools.module.css'
import type { Finding } from './use-finding.ts'

const FilterPanel = later(
  'The filters could not be loaded.',
  async () => (await import('./filters/filter-panel.tsx')).FilterPanel,
)

/** The id of the button, which takes the focus when the last chip has gone. */
export const FILTERS_BUTTON = 'filters'

type FindingToolsProps = { kind: RecordKind; finding: Finding; isEmpty: boolean }

/** The button for the filters of a list, and the switch between cards and table. */
export function FindingTools({ kind, finding, isEmpty }: FindingToolsProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { query, isTable, change } = finding
  const count = filtersIn(query.filters).length
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <div className={classes.root}>
      <Button
        ref={button}
        id={FILTERS_BUTTON}
        variant="default"
        size="md"
        fz="sm"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        leftSection={<IconFilter size={20} stroke={1.5} aria-hidden="true" />}
        classNames={{ root: classes.button ?? '', section: classes.icon ?? '' }}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={classes.word}>Filters</span>
        {count > 0 && (
          <span className={classes.count}>
            {count}
            <span className="visually-hidden"> in use</span>
          </span>
        )}
      </Button>
      <IconButton
        label={isTable ? 'Show as cards' : 'Show as table'}
        icon={isTable ? <IconLayoutList size={20} stroke={1.5} /> : <IconTable size={20} stroke={1.5} />}
        onClick={() => change({ view: isTable ? '' : 'table' })}
      />
      {isOpen && (
        <FilterPanel
          kind={kind}
          finding={finding}
          isEmpty={isEmpty}
          opener={button}
          onClose={close}
          onCloseFailed={close}
        />
      )}
    </div>
  )
}
