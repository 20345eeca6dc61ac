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
import { countOf } from './words.ts'

/** The last step: the progress and the results of the import, and its revert. */
export function DoneStep({ import: shown, close }: StepProps) {
  const revert = useMutation(revertImport(shown))
  const lookUps = useQuery({ ...getLookUps(shown), enabled: !isBusy(shown) })
  const kind = kindNamed(shown.kind)
  const records = (count: number) => countOf(count, kind.label.toLowerCase(), kind.plural.toLowerCase())
  const { created, updated } = shown.counts

  const effects = [
    (created > 0 || updated === 0) && `deletes ${records(created)} that it added`,
    updated > 0 && `restores ${records(updated)} that it updated`,
  ].filter(Boolean)

  const askToRevert = async () => {
    const isSure = await confirm({
      title: 'Revert this import?',
      text: `This ${effects.join(' and ')}. Records that were edited since are kept.`,
      confirm: 'Revert',
      cancel: 'Cancel',
    })
    if (isSure) revert.mutate()
  }

  if (isBusy(shown)) {
    return (
      <Paper withBorder className={classes.form ?? ''} tabIndex={-1} ref={revert.isIdle ? null : focusWhenShown}>
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
        <Text role="status" tabIndex={-1} ref={revert.isIdle ? null : focusWhenLost}>
          {summaryOf(shown, records)}
        </Text>
        {shown.error && <Text c="var(--mantine-color-error)">{shown.error}</Text>}
        <div className={classes.acts}>
          {shown.state !== 'reverted' && (
            <LoadingButton variant="default" color="red" loading={revert.isPending} onClick={askToRevert}>
              Revert
            </LoadingButton>
          )}
          <Button variant="default" component={Link} to={searchPath(kind)}>
            Show {kind.plural.toLowerCase()}
          </Button>
          <Button onClick={close}>Import another file</Button>
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

function summaryOf({ state, counts }: Import, records: (count: number) => string): string {
  if (state === 'reverted') {
    const kept = counts.kept ? ` ${records(counts.kept)} stayed, because they were edited since.` : ''
    return `${records(counts.reverted ?? 0)} reverted.${kept}`
  }
  const updated = counts.updated > 0 ? `, ${records(counts.updated)} updated` : ''
  return `${records(counts.created)} added${updated}.`
}
