import { Button } from '@mantine/core'
import { IconStairs, IconTag, IconUserCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { StageMenu } from '#web/pipeline/stage-menu.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { later } from '#web/ui/states/later.tsx'
import classes from './bulk.module.css'
import { useBulk } from './use-bulk.ts'

const BulkDialog = later('The form could not be loaded.', async () => (await import('./bulk-dialog.tsx')).BulkDialog)

type BulkBarProps = { kind: RecordKind; ids: string[]; isFull: boolean; onClear: () => void }

/** What can be done with the selected records. */
export function BulkBar({ kind, ids, isFull, onClear }: BulkBarProps) {
  const { isBusy, start } = useBulk(kind, onClear)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [asked, setAsked] = useState<'tag' | 'responsible'>()
  const noun = ids.length === 1 ? kind.name : kind.path
  return (
    <section className={classes.bar} aria-label="Selected rows">
      <p role="status" className={classes.count}>
        {ids.length.toLocaleString('en')} selected{isFull && ', which is the most'}
      </p>
      <div className={classes.acts}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconTag size={16} stroke={1.5} />}
          disabled={isBusy}
          onClick={() => setAsked('tag')}
        >
          Add tag
        </Button>
        <StageMenu
          label={`Stage of ${ids.length} ${noun}`}
          pipeline={null}
          isOpen={isMenuOpen}
          setOpen={setMenuOpen}
          endsThere
          onChoose={({ stage = null }) => void start(ids, { stage })}
        >
          <Button variant="default" size="xs" leftSection={<IconStairs size={16} stroke={1.5} />} disabled={isBusy}>
            Set stage
          </Button>
        </StageMenu>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconUserCheck size={16} stroke={1.5} />}
          disabled={isBusy}
          onClick={() => setAsked('responsible')}
        >
          Set responsible
        </Button>
        <Button variant="subtle" size="xs" disabled={isBusy} onClick={onClear}>
          Clear selection
        </Button>
      </div>
      {asked && (
        <BulkDialog
          key={asked}
          what={asked}
          about={`${ids.length} ${noun}`}
          isBusy={isBusy}
          start={(set) => start(ids, set)}
          onClose={() => setAsked(undefined)}
          onCloseFailed={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}
