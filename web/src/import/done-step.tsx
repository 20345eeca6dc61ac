import { Button, Paper, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Import, ImportLookUps } from '#contract/import.ts'
import { importKindNamed } from '#contract/import-kinds.ts'
import { kinds } from '#contract/kinds.ts'
import { searchPath } from '#web/paths.ts'
import { LoadingButton } from '#web/ui/buttons/loading-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { focusWhenLost, focusWhenShown } from '#web/ui/focus.ts'
import { getLookUps, revertImport, startLookUps } from './api.ts'
import classes from './import.module.css'
import { isBusy } from './list-imports.ts'
import { ImportProgress } from './progress.tsx'
import { Refused } from './rows/refused.tsx'
import { Rows } from './rows/rows.tsx'
import type { StepProps } from './steps.tsx'
import { addedBy, countOf, recordsOf } from './words.ts'

/** The last step: the progress and the results of the import, and its revert. */
export function DoneStep({ import: shown, close }: StepProps) {
  const revert = useMutation(revertImport(shown))
  const lookUps = useQuery({ ...getLookUps(shown), enabled: !isBusy(shown) })
  const { recordKind } = importKindNamed(shown.kind)
  const kind = kinds.find(({ name }) => name === recordKind)
  const isReverted = shown.state === 'reverted'

  const askToRevert = async () => {
    const isSure = await confirm({
      title: 'Revert this import?',
      text:
        shown.kind === 'note' ? DELETES_NOTES : `This ${effectsOf(shown)}. Records that were edited since are kept.`,
      confirm: 'Revert',
      cancel: 'Cancel',
    })
    if (isSure) revert.mutate()
  }

  if (isBusy(shown)) {
    return (
      <Paper
        withBorder
        className={classes.form ?? ''}
        tabIndex={-1}
        ref={revert.isIdle ? focusWhenLost : focusWhenShown}
      >
        <ImportProgress import={shown} />
        <Text size="sm" c="dimmed">
          You can close this page. The work continues on the server.
        </Text>
      </Paper>
    )
  }
  return (
    <>
      <Paper withBorder className={classes.form ?? ''}>
        <Text role="status" tabIndex={-1} ref={focusWhenLost}>
          {summaryOf(shown)}
        </Text>
        {shown.error && <Text c="var(--mantine-color-error)">{shown.error}</Text>}
        <div className={classes.acts}>
          {!isReverted && (
            <LoadingButton variant="default" color="red" loading={revert.isPending} onClick={askToRevert}>
              Revert
            </LoadingButton>
          )}
          <Button variant={isReverted || !kind ? 'filled' : 'default'} onClick={close}>
            Import another file
          </Button>
          {kind && (
            <Button variant={isReverted ? 'default' : 'filled'} component={Link} to={searchPath(kind)}>
              Show {kind.plural.toLowerCase()}
            </Button>
          )}
        </div>
      </Paper>
      {/* At once, so that nothing moves when the look-ups arrive. */}
      {!lookUps.isPending && (
        <>
          {lookUps.data && lookUps.data.count > 0 && <LookUps import={shown} lookUps={lookUps.data} />}
          <Refused import={shown} />
          <Rows import={shown} />
        </>
      )}
    </>
  )
}

const DELETES_NOTES = 'This deletes the notes that it added, also those on records that were merged since.'

function effectsOf({ kind, counts: { created, updated } }: Import): string {
  const effects = [
    (created > 0 || updated === 0) && `deletes ${recordsOf(kind, created)} that it added`,
    updated > 0 && `restores ${recordsOf(kind, updated)} that it updated`,
  ]
  return effects.filter(Boolean).join(' and ')
}

function summaryOf(shown: Import): string {
  const { state, kind, counts } = shown
  if (state === 'reverted' && kind === 'note') return `Reverted. ${countOf(counts.reverted ?? 0, 'row')} taken back.`
  if (state === 'reverted') {
    const kept = counts.kept ? ` ${recordsOf(kind, counts.kept)} stayed, because they were edited since.` : ''
    return `${recordsOf(kind, counts.reverted ?? 0)} reverted.${kept}`
  }
  const parts = [
    addedBy(shown),
    counts.updated > 0 && `${recordsOf(kind, counts.updated)} updated`,
    counts.marked > 0 && `${countOf(counts.marked, 'row')} marked`,
    counts.refused > 0 && `${countOf(counts.refused, 'row')} refused`,
  ]
  const summary = `${parts.filter(Boolean).join(', ')}.`
  return state === 'cancelled' ? `Cancelled. Until then: ${summary} The rest of the file was not imported.` : summary
}

/** Looks up the records that an import has added, once, if a source is configured. */
function LookUps({ import: shown, lookUps }: { import: Import; lookUps: ImportLookUps }) {
  const start = useMutation(startLookUps(shown))
  return (
    <Paper withBorder className={classes.form ?? ''}>
      <Text size="sm">
        Imported records are not looked up in public sources automatically. A lookup runs in the background, within your
        daily limit. The rest follows the next day.
      </Text>
      <div className={classes.acts}>
        {lookUps.askedAt === null ? (
          <LoadingButton variant="default" loading={start.isPending} onClick={() => start.mutate()}>
            Look up {countOf(lookUps.count, 'record')}
          </LoadingButton>
        ) : (
          // In the place of the button, with its focus.
          <Text size="sm" className={classes.started ?? ''} tabIndex={-1} ref={start.isIdle ? null : focusWhenLost}>
            We are looking up these records. Results will appear on their cards.
          </Text>
        )}
      </div>
    </Paper>
  )
}
