import { Button, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { STAGE_DAYS_MAX, STAGE_NAME_MAX } from '#contract/limits.ts'
import { ApiError } from '#web/lib/http.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { type TypedDraft, useDraft } from '#web/session/use-draft.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { tooLong } from '#web/ui/too-long.ts'
import { changeStage, createStage, refetchStages } from './api.ts'
import classes from './pipeline.module.css'

type Values = { name: string; limitDays: number | null }

type StageDraft = { name: string; days: string }

/** What is typed of a stage; `id` is that of a known one. */
export const useStageDraft = ({ id = 'new', name, limitDays }: Values & { id?: string }) =>
  useDraft<StageDraft>(`stage ${id}`, { name, days: limitDays === null ? '' : String(limitDays) })

type StageFormProps = {
  draft: TypedDraft<StageDraft>
  /** False for a form that was already open when the page loaded. */
  takesFocus: boolean
  label: string
  button: string
  /** The change of a stage. Absent for a new one. */
  mutation?: (values: Values) => Values & { id: string }
  onEnd: () => void
}

/** The name and the limit of a stage. Enter saves, Escape cancels. */
export function StageForm({ draft, takesFocus, label, button, mutation, onEnd }: StageFormProps) {
  const { name, days } = draft.values
  const place = { account: useOwner(), form: 'stage new' }
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async (values: Values, context): Promise<unknown> =>
      mutation
        ? changeStage.mutationFn?.(mutation(values), context)
        : createStage.mutationFn?.({ ...values, key: idempotencyKeys.of(place) }, context),
    onSuccess: (_stage, _values, _result, { client }) => refetchStages(client),
  })
  const fields: Record<string, string> = error instanceof ApiError ? error.fields : {}
  // Another content is another request.
  const change = (typed: Partial<StageDraft>) => {
    draft.change({ ...draft.values, ...typed })
    idempotencyKeys.delete(place)
    reset()
  }
  const end = () => {
    idempotencyKeys.delete(place)
    onEnd()
  }
  const fault = tooLong('Name', name, STAGE_NAME_MAX)
  const { cancel, cancelOnEscape } = createCancel({ isTyped: () => draft.isTyped, isBusy: isPending, onCancel: end })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (fault) return
    mutate(
      { name: name.trim(), limitDays: days.trim() === '' ? null : Number(days) },
      {
        onSuccess: end,
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
        ref={takesFocus ? focusWhenShown : null}
        label="Name"
        required
        autoComplete="off"
        value={name}
        error={fault ?? fields.name}
        readOnly={isPending}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        label="Limit of days"
        description={`Records that stay longer are marked. Empty: no limit; at most ${STAGE_DAYS_MAX}.`}
        inputMode="numeric"
        autoComplete="off"
        value={days}
        error={fields.limitDays}
        readOnly={isPending}
        onChange={({ currentTarget }) => change({ days: currentTarget.value })}
      />
      <Group gap="xs" justify="flex-end">
        <Button variant="default" size="xs" disabled={isPending} onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton size="xs" busy={isPending} label={button} busyLabel="Saving…" />
      </Group>
    </form>
  )
}
