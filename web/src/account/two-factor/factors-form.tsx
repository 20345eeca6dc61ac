import { Button, Group, PasswordInput, TextInput } from '@mantine/core'
import { type UseMutationOptions, useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BothFactorsInput, PasswordInput as PasswordOnly } from '#contract/account.ts'
import { CodeInput, password } from '#contract/auth.ts'
import classes from '#web/account/account.module.css'
import type { Factors } from '#web/account/api.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'

const schemas = { password: PasswordOnly, code: CodeInput, both: BothFactorsInput.extend({ password }) }

type FactorsFormProps<Answer> = {
  name: string
  label: string
  busyLabel: string
  color?: string
  needs: keyof typeof schemas
  /** Without it, only a code of the app counts. */
  acceptsRecoveryCode?: boolean
  /** The call that needs the factors. */
  asks: UseMutationOptions<Answer, Error, Factors>
  onDone: (answer: Answer) => void
  onCancel: () => void
  children?: ReactNode
}

/** Asks a signed-in person again for the password, a code, or both. */
export const FactorsForm = <Answer,>(props: FactorsFormProps<Answer>) => {
  const { name, label, busyLabel, color, needs, acceptsRecoveryCode, asks, onDone, onCancel, children } = props
  const [needsPassword, needsCode] = [needs !== 'code', needs !== 'password']
  const { form, focusFirst, showFailure } = useCheckedForm({
    schema: schemas[needs],
    start: { password: '', code: '' },
  })
  const { mutate, isPending } = useMutation(asks)
  const submit = ({ password, code }: { password: string; code: string }) =>
    mutate(
      { ...(needsPassword && { password }), ...(needsCode && { code }) },
      {
        onSuccess: onDone,
        onError: (failure) => showFailure(failure, "We couldn't check this. Try again in a moment."),
      },
    )
  const { cancel, cancelOnEscape } = createCancel({ isTyped: form.isDirty, isBusy: isPending, onCancel })

  return (
    <form
      className={classes.form}
      noValidate
      aria-label={name}
      onKeyDown={cancelOnEscape}
      onSubmit={form.onSubmit(submit, focusFirst)}
    >
      {children}
      {needsPassword && (
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
      {needsCode && (
        <TextInput
          ref={needsPassword ? null : focusWhenShown}
          name="code"
          label="Code"
          required
          autoComplete="one-time-code"
          readOnly={isPending}
          {...(acceptsRecoveryCode ? anyCode : { inputMode: 'numeric' })}
          {...form.getInputProps('code')}
        />
      )}
      <Group gap="xs">
        <SubmitButton busy={isPending} label={label} busyLabel={busyLabel} {...(color && { color })} />
        <Button variant="default" onClick={cancel} disabled={isPending}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}

const anyCode = {
  description: 'The six digits that your authenticator app shows, or a recovery code.',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
}
