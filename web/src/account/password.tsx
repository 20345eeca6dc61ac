import { Button, PasswordInput, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { type AccountAnswer, ChangePasswordInput } from '#contract/account.ts'
import { askForReset } from '#web/auth/api.ts'
import { MailAnswer, useMailRequest } from '#web/auth/links/mail-request.tsx'
import { newPassword } from '#web/auth/links/new-password.ts'
import { settings } from '#web/lib/settings.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import classes from './account.module.css'
import { changePassword } from './api.ts'
import { Section } from './section.tsx'

export const Password = ({ user, hasPassword }: AccountAnswer) => (
  <Section title="Password">
    {hasPassword ? <ChangePassword email={user.email} /> : <NoPassword email={user.email} />}
  </Section>
)

const schema = z.object({ ...ChangePasswordInput.shape, newPassword })
const nothing = { currentPassword: '', newPassword: '' }
const toggle = { 'aria-label': 'Show or hide the typed text' }

const ChangePassword = ({ email }: { email: string }) => {
  const { form, focusFirst, showFailure } = useCheckedForm({ schema, start: nothing })
  const change = useMutation(changePassword)

  const submit = (input: ChangePasswordInput) =>
    change.mutate(input, {
      onSuccess: () => {
        form.reset()
        toasts.success('Password changed. You are signed out everywhere else.')
      },
      onError: (failure) => showFailure(failure, 'Failed to change the password'),
    })

  return (
    <form className={classes.form} noValidate aria-label="Change password" onSubmit={form.onSubmit(submit, focusFirst)}>
      {/* Password managers find the account of the password here. */}
      <input hidden type="email" name="email" aria-label="Email" autoComplete="username" value={email} readOnly />
      <PasswordInput
        name="current-password"
        label="Current password"
        required
        autoComplete="current-password"
        readOnly={change.isPending}
        visibilityToggleButtonProps={toggle}
        {...form.getInputProps('currentPassword')}
      />
      <PasswordInput
        name="new-password"
        label="New password"
        description={`At least ${settings.passwordMin} characters. Changing it signs you out everywhere else.`}
        required
        autoComplete="new-password"
        readOnly={change.isPending}
        visibilityToggleButtonProps={toggle}
        {...form.getInputProps('newPassword')}
      />
      <div>
        <SubmitButton busy={change.isPending} label="Change password" busyLabel="Changing…" />
      </div>
    </form>
  )
}

const NoPassword = ({ email }: { email: string }) => {
  const request = useMailRequest(askForReset, `A link to a password is on its way to ${email}.`)
  return (
    <>
      <Text size="sm">This account has no password. It uses single sign-on.</Text>
      {settings.mail && (
        <div>
          <Button variant="default" disabled={!request.mayAsk} onClick={() => request.ask(email)}>
            Set a password by mail
          </Button>
        </div>
      )}
      <MailAnswer {...request} />
    </>
  )
}
