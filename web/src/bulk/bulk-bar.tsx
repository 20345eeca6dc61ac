import { Button } from '@mantine/core'
import { IconStairs, IconTag, IconUserCheck, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PipelinePrompts } from '#web/pipeline/prompts/pipeline-prompts.tsx'
import { askReason } from '#web/pipeline/prompts/prompts.ts'
import { StageMenu } from '#web/pipeline/stage-menu.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { type BulkSet, changeMany, refetchMany, undoMany } from './api.ts'
import classes from './bulk.module.css'

const BulkDialog = lazyPart('The form could not be loaded.', async () => (await import('./bulk-dialog.tsx')).BulkDialog)

type BulkBarProps = { kind: RecordKind; ids: string[]; isFull: boolean; onClear: () => void }

/** What can be done with the selected records. They stay selected. */
export function BulkBar({ kind, ids, isFull, onClear }: BulkBarProps) {
  const { isBusy, start } = useBulk(kind)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [asked, setAsked] = useState<'tag' | 'responsible'>()
  const count = `${ids.length.toLocaleString('en')} ${ids.length === 1 ? kind.name : kind.path}`
  const pass = async () => {
    const answer = await askReason(kind.name, { count })
    if (answer === undefined) return
    const { onPassed, ...why } = answer
    if (await start(ids, { status: 'passed', ...why })) onPassed()
  }
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
          label={`Stage of ${count}`}
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
        <Button
          variant="default"
          size="xs"
          leftSection={<IconX size={16} stroke={1.5} />}
          disabled={isBusy}
          onClick={() => void pass()}
        >
          Pass…
        </Button>
        <Button variant="subtle" size="xs" disabled={isBusy} onClick={onClear}>
          Clear selection
        </Button>
      </div>
      <PipelinePrompts isPreloaded />
      {asked && (
        <BulkDialog
          key={asked}
          what={asked}
          about={count}
          isBusy={isBusy}
          start={(set) => start(ids, set)}
          onClose={() => setAsked(undefined)}
          onCloseFailed={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

/** Changes many records at once, reports what was skipped, and offers the undo. */
function useBulk(kind: RecordKind) {
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const countOf = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? kind.name : kind.path}`

  const undo = async (bulkId: string, ids: string[]) => {
    try {
      const { restored, kept } = await undoMany(bulkId)
      toasts.success(
        `${countOf(restored)} restored.${leftOutWords(
          'kept',
          kept.map(({ reason }) => ({ sentence: reason })),
        )}`,
      )
    } catch (failure) {
      toasts.failure(failure, 'This could not be undone')
    }
    await refetchMany(client, kind, ids)
  }

  /** Returns whether anything was sent and answered. */
  const start = async (ids: string[], set: BulkSet): Promise<boolean> => {
    setBusy(true)
    try {
      const { bulkId, changed, skipped } = await changeMany(client, ids, set)
      const left = leftOutWords(
        'skipped',
        skipped.map(({ error }) => ({ sentence: error })),
      )
      const sentence = `${countOf(changed)} ${'status' in set ? 'passed' : 'changed'}.${left}`
      if (changed > 0) toasts.withActions(sentence, { label: 'Undo', onAct: () => void undo(bulkId, ids) })
      else toasts.info(sentence)
      void refetchMany(client, kind, ids)
      return true
    } catch (failure) {
      toasts.failure(failure, 'The records could not be changed')
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, start }
}

/** `3 skipped: Only a manager can… (2), This record is gone (1)`. Nothing without any. */
function leftOutWords(word: string, left: { sentence: string }[]): string {
  if (left.length === 0) return ''
  const counts = new Map<string, number>()
  for (const { sentence } of left) counts.set(sentence, (counts.get(sentence) ?? 0) + 1)
  const reasons = [...counts].map(([sentence, count]) => {
    const bare = sentence.replace(/\.$/, '')
    return counts.size === 1 ? bare : `${bare} (${count})`
  })
  return ` ${left.length} ${word}: ${reasons.join(', ')}.`
}
