import { Button, Paper, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Import } from '#contract/import.ts'
import { kindNamed } from '#contract/kinds.ts'
import { searchPath } from '#web/paths.ts'
import { confirm } from '#web/ui/confirm.ts'
import { focusWhenLost, focusWhenShown } from '#web/ui/focus.ts'
import { LoadingButton } from '#web/ui/loading-button.tsx'
import { getLookUps, isBusy, revertImport } from './api.ts'
import classes from './import.module.css'
import { LookUps } from './look-ups.tsx'
import { ImportProgress } from './progress.tsx'
import { Refused } from './refused.tsx'
import { Rows } from './rows.tsx'
import type { StepProps } from './steps.tsx'
import { countOf, recordsOf } from './words.ts'

/** The last step: the progress and the results of the import, and its revert. */
export function DoneStep({ import: shown, close }: StepProps) {
  const revert = useMutation(revertImport(shown))
  const lookUps = useQuery({ ...getLookUps(shown), enabled: !isBusy(shown) })
  const kind = kindNamed(shown.kind)
  const isReverted = shown.state === 'reverted'

  const askToRevert = async () => {
    const isSure = await confirm({
      title: 'Revert this import?',
      text: `This ${effectsOf(shown)}. Records that were edited since are kept.`,
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
          <Button variant={isReverted ? 'filled' : 'default'} onClick={close}>
            Import another file
          </Button>
          <Button variant={isReverted ? 'default' : 'filled'} component={Link} to={searchPath(kind)}>
            Show {kind.plural.toLowerCase()}
          </Button>
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

function effectsOf({ kind, counts: { created, updated } }: Import): string {
  const effects = [
    (created > 0 || updated === 0) && `deletes ${recordsOf(kind, created)} that it added`,
    updated > 0 && `restores ${recordsOf(kind, updated)} that it updated`,
  ]
  return effects.filter(Boolean).join(' and ')
}

function summaryOf({ state, kind, counts }: Import): string {
  if (state === 'reverted') {
    const kept = counts.kept ? ` ${recordsOf(kind, counts.kept)} stayed, because they were edited since.` : ''
    return `${recordsOf(kind, counts.reverted ?? 0)} reverted.${kept}`
  }
  const parts = [
    `${recordsOf(kind, counts.created)} added`,
    counts.updated > 0 && `${recordsOf(kind, counts.updated)} updated`,
    counts.marked > 0 && `${countOf(counts.marked, 'row')} marked`,
    counts.refused > 0 && `${countOf(counts.refused, 'row')} refused`,
  ]
  const summary = `${parts.filter(Boolean).join(', ')}.`
  return state === 'cancelled' ? `Cancelled. Until then: ${summary} The rest of the file was not imported.` : summary
}
