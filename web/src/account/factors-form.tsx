import { Button, Group, PasswordInput, TextInput } from '@mantine/core'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { BothFactorsInput } from '#contract/account.ts'
import { password } from '#contract/auth.ts'
import { createCancel } from '#web/ui/cancel-form.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import classes from './account.module.css'

type BothFactorsFormProps<Answer> = {
  name: string
  label: string
  busyLabel: string
  color?: string
  hasPassword: boolean
  /** The call that needs both factors. */
  asks: UseMutationOptions<Answer, Error, BothFactorsInput>
  onDone: (answer: Answer) => void
  onCancel: () => void
}

const withPassword = BothFactorsInput.extend({ password })
const codeAlone = BothFactorsInput.pick({ code: true })

/** Asks for both factors again, or only for the code when the account has no password. */
export const BothFactorsForm = <Answer,>(props: BothFactorsFormProps<Answer>) => {
  const { name, label, busyLabel, color, hasPassword, asks, onDone, onCancel } = props
  const { form, focusFirst, showFailure } = useCheckedForm({
    schema: hasPassword ? withPassword : codeAlone,
    start: { password: '', code: '' },
  })
  const { mutate, isPending } = useMutation(asks)
  const submit = ({ password, code }: { password: string; code: string }) =>
    mutate(hasPassword ? { password, code } : { code }, {
      onSuccess: onDone,
      onError: (failure) => showFailure(failure, "We couldn't check this. Try again in a moment."),
    })
  const { cancel, cancelOnEscape } = createCancel({ isTyped: form.isDirty, isBusy: isPending, onCancel })

  return (
    <form
      className={classes.form}
      noValidate
      aria-label={name}
      onKeyDown={cancelOnEscape}
      onSubmit={form.onSubmit(submit, focusFirst)}
    >
      {hasPassword && (
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
      )}
      <TextInput
        ref={hasPassword ? null : focusWhenShown}
        name="code"
        label="Code"
        description="The six digits that your authenticator app shows, or a recovery code."
        required
        autoComplete="one-time-code"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        readOnly={isPending}
        {...form.getInputProps('code')}
      />
      <Group gap="xs">
        <SubmitButton busy={isPending} label={label} busyLabel={busyLabel} {...(color && { color })} />
        <Button variant="default" onClick={cancel} disabled={isPending}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}
