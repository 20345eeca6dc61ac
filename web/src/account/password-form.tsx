import { Button, Group, PasswordInput } from '@mantine/core'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { PasswordInput as PasswordOnly } from '#contract/account.ts'
import { createCancel } from '#web/ui/cancel-form.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import classes from './account.module.css'

type PasswordFormProps<Answer> = {
  label: string
  busyLabel: string
  /** The call that needs the password. */
  asks: UseMutationOptions<Answer, Error, string>
  onDone: (answer: Answer) => void
  onCancel: () => void
}

const start = { password: '' }

/** Asks a signed-in person for the password again. */
export const PasswordForm = <Answer,>({ label, busyLabel, asks, onDone, onCancel }: PasswordFormProps<Answer>) => {
  const { form, focusFirst, showFailure } = useCheckedForm({ schema: PasswordOnly, start })
  const { mutate, isPending } = useMutation(asks)
  const submit = ({ password }: { password: string }) =>
    mutate(password, {
      onSuccess: onDone,
      onError: (failure) => showFailure(failure, "We couldn't check this. Try again in a moment."),
    })
  const { cancel, cancelOnEscape } = createCancel({ isTyped: form.isDirty, isBusy: isPending, onCancel })

  return (
    <form
      className={classes.form}
      noValidate
      aria-label={label}
      onKeyDown={cancelOnEscape}
      onSubmit={form.onSubmit(submit, focusFirst)}
    >
      <PasswordInput
        ref={focusWhenShown}
        name="password"
        label="Your password"
        required
        autoComplete="current-password"
        readOnly={isPending}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the typed text' }}
        {...form.getInputProps('password')}
      />
      <Group gap="xs">
        <SubmitButton busy={isPending} label={label} busyLabel={busyLabel} />
        <Button variant="default" onClick={cancel} disabled={isPending}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}
