import { Text } from '@mantine/core'
import { IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Import } from '#contract/import.ts'
import { importKindNamed } from '#contract/import-kinds.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { importPath } from '#web/paths.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { cancelImport, deleteImport } from './api.ts'
import classes from './import.module.css'
import { stopConfirmation } from './progress.tsx'
import { countOf, sizeOf, stateLabels } from './words.ts'

type ImportEntryProps = {
  import: Import
  /** Whether to name the uploader. */
  isNamed: boolean
  onDeleted: () => void
}

/** An import in the list. What is read or runs can be cancelled; anything but what runs or reverts can be deleted. */
export function ImportEntry({ import: shown, isNamed, onDeleted }: ImportEntryProps) {
  const cancel = useMutation(cancelImport(shown))
  const remove = useMutation(deleteImport(shown))
  const { name, state } = shown
  const askToCancel = async () => {
    if (state === 'reading' || (await confirm(stopConfirmation))) cancel.mutate()
  }
  const askToDelete = async () => {
    const loss = lossOf(shown)
    const isSure =
      loss === undefined ||
      (await confirm({ title: 'Delete this import?', text: loss, confirm: 'Delete', cancel: 'Keep' }))
    if (isSure) remove.mutate(undefined, { onSuccess: onDeleted })
  }
  return (
    <li className={classes.entry}>
      <div className={classes.entryText}>
        <Link to={importPath(shown.id)} className={classes.name ?? ''}>
          <bdi>{name}</bdi>
        </Link>
        <Text size="sm" c="dimmed">
          {summaryOf(shown)}
        </Text>
        <Text size="sm" c="dimmed">
          {importKindNamed(shown.kind).plural} · {sizeOf(shown.bytes)} ·{' '}
          {isNamed && (
            <>
              <bdi>{shown.isMine ? 'You' : shown.by}</bdi> ·{' '}
            </>
          )}
          <time dateTime={shown.createdAt}>{formatMoment(shown.createdAt)}</time>
        </Text>
      </div>
      {(state === 'reading' || state === 'running') && (
        <IconButton
          label={`Cancel ${name}`}
          tip="Cancel"
          icon={<IconPlayerStop size={20} stroke={1.5} />}
          loading={cancel.isPending}
          onClick={askToCancel}
        />
      )}
      {state !== 'running' && state !== 'reverting' && (
        <IconButton
          label={`Delete ${name}`}
          tip="Delete"
          icon={<IconTrash size={20} stroke={1.5} />}
          loading={remove.isPending}
          onClick={askToDelete}
        />
      )}
    </li>
  )
}

/** What a person loses by deleting this import; undefined for nothing. */
function lossOf({ kind, state, startedAt }: Import): string | undefined {
  if (state === 'reverted' || (state === 'failed' && startedAt === null)) return undefined
  if (startedAt === null) return 'The file and what you chose for it are deleted. Nothing of it has been imported.'
  return `Its ${kind === 'note' ? 'notes' : 'records'} stay. It can no longer be reverted, and its refused rows can no longer be downloaded.`
}

function summaryOf({ state, startedAt, done, total, counts: { created, updated, refused, notes } }: Import): string {
  const hasWritten = startedAt !== null && ['done', 'cancelled', 'failed'].includes(state)
  const isAtWork = ['reading', 'running', 'reverting'].includes(state) && done > 0
  const parts = [
    stateLabels[state],
    isAtWork && `${done.toLocaleString('en')}${total > 0 ? ` of ${countOf(total, 'row')}` : ' rows'}`,
    hasWritten && `${notes === undefined ? created.toLocaleString('en') : countOf(notes, 'note')} added`,
    hasWritten && updated > 0 && `${updated.toLocaleString('en')} updated`,
    hasWritten && refused > 0 && `${countOf(refused, 'row')} refused`,
  ]
  return parts.filter(Boolean).join(' · ')
}
