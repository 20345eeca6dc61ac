import { PasswordInput, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { resetPassword } from '#web/auth/api.ts'
import classes from '#web/auth/auth-card.module.css'
import { SignedInAs } from '#web/auth/links/link-message.tsx'
import { ApiError } from '#web/lib/http.ts'
import { deleteLinkToken } from '#web/lib/link-token.ts'
import { settings } from '#web/lib/settings.ts'
import { paths } from '#web/paths.ts'
import { currentSession } from '#web/session/api.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { newPassword } from './new-password.ts'

type NewPasswordFormProps = {
  token: string
  /** Explains the effect of choosing a password. */
  text: string
  /** The address of the signed-in account; empty without one. */
  current: string
  /** Shown once the password is saved. */
  done: string
  /** Called with the reason when the link is not valid. */
  onRefused: (sentence: string) => void
}

export const NewPasswordForm = ({ token, text, current, done, onRefused }: NewPasswordFormProps) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (typed) => newPassword.safeParse(typed).error?.issues[0]?.message },
  })
  const focus = () => form.getInputNode('password')?.focus()

  const { mutate, isPending } = useMutation({
    ...resetPassword,
    onSuccess: async () => {
      deleteLinkToken()
      toasts.success(done)
      // Every session of the account has ended. This browser may have had a session of another account.
      await client.fetchQuery({ ...currentSession, staleTime: 0 })
      navigate(paths.auth, { replace: true })
    },
    onError: (failure) => {
      const { status, fields, error } = failure instanceof ApiError ? failure : new ApiError(0, {})
      if (status === 400 && error !== undefined && !fields.password) return onRefused(error)
      if (!fields.password) return toasts.failure(failure, 'The password could not be changed')
      form.setErrors({ password: fields.password })
      focus()
    },
  })

  return (
    <form
      className={classes.step}
      noValidate
      aria-label="Choose a new password"
      aria-busy={isPending}
      onSubmit={form.onSubmit(({ password }) => {
        if (!isPending) mutate({ token, password })
      }, focus)}
    >
      <div>
        <Title order={2} size="h3">
          Choose a new password
        </Title>
        <Text size="sm" mt={4}>
          {text} <SignedInAs current={current} />
        </Text>
      </div>
      <PasswordInput
        ref={focusWhenShown}
        name="password"
        label="New password"
        description={`At least ${settings.passwordMin} characters`}
        required
        autoComplete="new-password"
        readOnly={isPending}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the typed text' }}
        {...form.getInputProps('password')}
      />
      <SubmitButton busy={isPending} label="Save password" busyLabel="Saving..." fullWidth size="md" />
    </form>
  )
}
