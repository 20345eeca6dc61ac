import { Button, Group, PasswordInput, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { code, password } from '#contract/auth.ts'
import { account } from '#web/account/api.ts'
import { BASE, post } from '#web/lib/http.ts'
import { settings } from '#web/lib/settings.ts'
import { onConfirmation } from '#web/session/confirmed-elsewhere.ts'
import { useSignIn } from '#web/session/use-current-user.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'

const TITLE = 'Confirm that it is you'

const schemas = { password: z.object({ password }), code: z.object({ code }) }
const nothing = { password: '', code: '' }

/** Asks for the password; where the account has none, for single sign-on or a code. */
export function IdentityDialog({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const { data } = useQuery(account)
  const by = data?.hasPassword === false ? 'code' : 'password'
  const { form, focusFirst, showFailure } = useCheckedForm({ schema: schemas[by], start: nothing })
  const { mutate, isPending } = useMutation({
    mutationFn: (typed: typeof nothing) => post<void>('/account/confirm', { [by]: typed[by] }),
  })
  const submit = (typed: typeof nothing) =>
    mutate(typed, {
      onSuccess: () => onEnd(true),
      onError: (failure) => showFailure(failure, 'This could not be confirmed'),
    })
  const bySignOn = data?.hasPassword === false && !data.twoFactor.enabled
  if (bySignOn) return <BySignOn onEnd={onEnd} />
  const field = { required: true, readOnly: isPending, 'data-autofocus': true, ...form.getInputProps(by) }
  return (
    <Modal opened onClose={() => onEnd(false)} withCloseButton={false} centered zIndex={300}>
      <Modal.Title fw={600} mb={4}>
        {TITLE}
      </Modal.Title>
      <form noValidate aria-label={TITLE} onSubmit={form.onSubmit(submit, focusFirst)}>
        <Text size="sm" mb="sm">
          Enter your {by} to continue.
        </Text>
        {by === 'password' ? (
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the typed text' }}
            {...field}
          />
        ) : (
          <TextInput label="Code of your authenticator app" autoComplete="one-time-code" {...field} />
        )}
        <Group mt="md" justify="flex-end">
          <Button variant="default" onClick={() => onEnd(false)}>
            Cancel
          </Button>
          <SubmitButton busy={isPending} label="Confirm" busyLabel="Confirming…" />
        </Group>
      </form>
    </Modal>
  )
}

/** In a window of its own, so that nothing on this page is lost. */
function BySignOn({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const [failed, setFailed] = useState(false)
  const { account } = useSignIn()
  useEffect(
    () => onConfirmation(account, ({ error }) => (error === null ? onEnd(true) : setFailed(true))),
    [account, onEnd],
  )
  const open = (id: string) => {
    setFailed(false)
    window.open(`${BASE}/auth/sso/${id}?confirm=true`, '_blank', 'popup,width=520,height=720')
  }
  return (
    <Modal opened onClose={() => onEnd(false)} withCloseButton={false} centered zIndex={300}>
      <Modal.Title fw={600} mb={4}>
        {TITLE}
      </Modal.Title>
      <Text size="sm" mb="sm">
        {settings.sso.length > 0
          ? 'Sign in to continue, in a window of its own.'
          : 'This account has no password. Set one on your account page first.'}
      </Text>
      <Text size="sm" role="alert" c="var(--mantine-color-error)">
        {failed && 'That did not confirm it. Sign in there with the account that you use here.'}
      </Text>
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={() => onEnd(false)}>
          Cancel
        </Button>
        {settings.sso.map(({ id, name }, index) => (
          <Button key={id} data-autofocus={index === 0 || undefined} onClick={() => open(id)}>
            Continue with {name}
          </Button>
        ))}
      </Group>
    </Modal>
  )
}
