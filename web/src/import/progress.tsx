import '@mantine/core/styles/Progress.css'
import { Progress, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Import } from '#contract/import.ts'
import { LoadingButton } from '#web/ui/buttons/loading-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { cancelImport } from './api.ts'
import classes from './import.module.css'
import { countOf, stateLabels } from './words.ts'

/** The progress of the server, which works also while the page is closed. Reading and importing can be cancelled. */
export function ImportProgress({ import: shown }: { import: Import }) {
  const { state, done, total, isWaiting } = shown
  const cancel = useMutation(cancelImport(shown))
  const share = total > 0 ? (100 * done) / total : 0
  const askToCancel = async () => {
    if (state === 'reading' || (await confirm(stopConfirmation))) cancel.mutate()
  }
  return (
    <div className={classes.progress}>
      <Progress value={share} aria-label={stateLabels[state]} animated={total === 0} />
      <div className={classes.progressLine}>
        <Text size="sm" c="dimmed">
          <span role="status">
            {stateLabels[state]}
            {isWaiting && ', waiting for its turn'}
          </span>
          {done > 0 && `: ${done.toLocaleString('en')}${total > 0 ? ` of ${countOf(total, 'row')}` : ' rows'}`}
        </Text>
        {state !== 'reverting' && (
          <LoadingButton variant="default" loading={cancel.isPending} onClick={askToCancel}>
            Cancel
          </LoadingButton>
        )}
      </div>
    </div>
  )
}

/** Asked before an import is stopped in the middle. */
export const stopConfirmation = {
  title: 'Stop this import?',
  text: 'It cannot be continued. What it has added so far stays, and you can revert it.',
  confirm: 'Stop importing',
  cancel: 'Keep importing',
}
