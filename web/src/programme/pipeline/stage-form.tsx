import { Button, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { STAGE_DAYS_MAX, STAGE_NAME_MAX } from '#contract/limits.ts'
import { ApiError } from '#web/lib/http.ts'
import { createCancel } from '#web/ui/cancel-form.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { toasts } from '#web/ui/toasts.tsx'
import { changeStage, createStage, refetchStages } from './api.ts'
import classes from './pipeline.module.css'

type Values = { name: string; limitDays: number | null }

type StageFormProps = {
  start: Values
  label: string
  button: string
  /** The change of a stage. Absent for a new one. */
  mutation?: (values: Values) => Values & { id: string }
  onEnd: () => void
}

/** The name and the limit of a stage. Enter saves, Escape cancels. */
export function StageForm({ start, label, button, mutation, onEnd }: StageFormProps) {
  const [name, setName] = useState(start.name)
  const [days, setDays] = useState(start.limitDays === null ? '' : String(start.limitDays))
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (values: Values, context): Promise<unknown> =>
      mutation ? changeStage.mutationFn?.(mutation(values), context) : createStage.mutationFn?.(values, context),
    onSuccess: (_stage, _values, _result, { client }) => refetchStages(client),
  })
  const fields: Record<string, string> = error instanceof ApiError ? error.fields : {}
  const { cancelOnEscape } = createCancel({ isTyped: () => false, isBusy: isPending, onCancel: onEnd })
  const save = (event: FormEvent) => {
    event.preventDefault()
    mutate(
      { name: name.trim(), limitDays: days.trim() === '' ? null : Number(days) },
      {
        onSuccess: onEnd,
        onError: (failure) => {
          const isShown = failure instanceof ApiError && Object.keys(failure.fields).length > 0
          if (!isShown) toasts.failure(failure, 'The stage could not be saved')
        },
      },
    )
  }
  return (
    <form noValidate className={classes.form} aria-label={label} onKeyDown={cancelOnEscape} onSubmit={save}>
      <TextInput
        ref={focusWhenShown}
        label="Name"
        required
        maxLength={STAGE_NAME_MAX}
        autoComplete="off"
        value={name}
        error={fields.name}
        readOnly={isPending}
        onChange={(event) => {
          setName(event.currentTarget.value)
          reset()
        }}
      />
      <TextInput
        label="Limit of days"
        description={`Records that stay longer are marked. Empty: no limit; at most ${STAGE_DAYS_MAX}.`}
        inputMode="numeric"
        autoComplete="off"
        value={days}
        error={fields.limitDays}
        readOnly={isPending}
        onChange={(event) => {
          setDays(event.currentTarget.value)
          reset()
        }}
      />
      <Group gap="xs" justify="flex-end">
        <Button variant="default" size="xs" disabled={isPending} onClick={onEnd}>
          Cancel
        </Button>
        <SubmitButton size="xs" busy={isPending} label={button} busyLabel="Saving…" />
      </Group>
    </form>
  )
}
