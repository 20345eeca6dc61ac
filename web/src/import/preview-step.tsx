import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Button, Paper, Radio } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ImportDuplicates } from '#contract/import.ts'
import { kindNamed } from '#contract/kinds.ts'
import { LoadingButton } from '#web/ui/loading-button.tsx'
import { toasts } from '#web/ui/toasts.tsx'
import { changeImport, runImport } from './api.ts'
import classes from './import.module.css'
import { ImportProgress } from './progress.tsx'
import { Refused } from './refused.tsx'
import { Rows } from './rows.tsx'
import type { StepProps } from './steps.tsx'
import { countOf } from './words.ts'

const choices: { value: ImportDuplicates; label: string; description: string }[] = [
  { value: 'skip', label: 'Skip them', description: 'Existing records do not change.' },
  { value: 'fill', label: 'Fill empty fields', description: 'Existing values stay. Only empty fields are filled.' },
  { value: 'update', label: 'Update them', description: 'The values in the file replace existing ones.' },
]

/** The fourth step: the outcome of each row, before anything is written. */
export function PreviewStep({ import: shown, goTo }: StepProps) {
  const change = useMutation({
    ...changeImport(shown),
    onError: (error) => toasts.failure(error, "We couldn't save this. Try again."),
  })
  const run = useMutation(runImport(shown))
  const isReading = shown.state === 'reading' || change.isPending
  const { label, plural } = kindNamed(shown.kind)
  const changes = shown.counts.created + shown.counts.updated

  return (
    <>
      <Paper withBorder className={classes.form ?? ''}>
        <Radio.Group
          label="Rows that match a record you may edit"
          value={(change.isPending && change.variables.duplicates) || shown.duplicates}
          onChange={(duplicates) => !isReading && change.mutate({ duplicates: duplicates as ImportDuplicates })}
        >
          {choices.map((choice) => (
            // Not disabled while the file is read, so that it keeps the focus.
            <Radio key={choice.value} {...choice} aria-disabled={isReading} iconColor="var(--on-filled)" mt="xs" />
          ))}
        </Radio.Group>
        <div className={classes.acts}>
          <Button variant="default" onClick={() => goTo('columns')}>
            Back
          </Button>
          <LoadingButton disabled={isReading || changes === 0} loading={run.isPending} onClick={() => run.mutate()}>
            {isReading || changes === 0
              ? 'Import'
              : `Import ${countOf(changes, label.toLowerCase(), plural.toLowerCase())}`}
          </LoadingButton>
        </div>
      </Paper>
      {isReading ? (
        <ImportProgress import={shown} />
      ) : (
        <>
          <Refused import={shown} />
          <Rows import={shown} />
        </>
      )}
    </>
  )
}
