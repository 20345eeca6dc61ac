import { Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Import, ImportLookUps } from '#contract/import.ts'
import { focusWhenLost } from '#web/ui/focus.ts'
import { LoadingButton } from '#web/ui/loading-button.tsx'
import { startLookUps } from './api.ts'
import classes from './import.module.css'
import { countOf } from './words.ts'

/** Looks up the records that an import has added, once, if a source is configured. */
export function LookUps({ import: shown, lookUps }: { import: Import; lookUps: ImportLookUps }) {
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
