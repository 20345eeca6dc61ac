import { Button, Paper, Text } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { ApiError, sentenceOf } from '#web/lib/http.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import classes from './import.module.css'

type StepFormProps = {
  submit: (event: FormEvent) => void
  label: string
  isBusy: boolean
  back: () => void
  backLabel?: string
  /** Whether going back is the way on, as for a file that cannot be read. */
  isBackFilled?: boolean
  /** The reason why the last attempt to continue failed. */
  error: Error | null
  /** The error of the file. */
  problem?: string | undefined
  children: ReactNode
}

/** The fields of a step, their errors, and the buttons to go back and continue. */
export const StepForm = ({
  submit,
  label,
  isBusy,
  back,
  backLabel = 'Back',
  isBackFilled = false,
  error,
  problem,
  children,
}: StepFormProps) => (
  <Paper component="form" withBorder className={classes.form ?? ''} onSubmit={submit} noValidate>
    <div role="alert" className={classes.alert}>
      {(problem ?? error) && (
        <Text c="var(--mantine-color-error)">
          {problem ?? fieldSentence(error) ?? sentenceOf(error, "We couldn't save this. Try again.")}
        </Text>
      )}
    </div>
    {children}
    <div className={classes.acts}>
      <Button variant={isBackFilled ? 'filled' : 'default'} onClick={back}>
        {backLabel}
      </Button>
      <SubmitButton variant={isBackFilled ? 'default' : 'filled'} busy={isBusy} label={label} busyLabel="Reading…" />
    </div>
  </Paper>
)

const fieldSentence = (error: unknown) => (error instanceof ApiError ? Object.values(error.fields)[0] : undefined)
