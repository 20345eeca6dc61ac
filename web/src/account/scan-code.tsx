import { Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { RecoveryCodes, TwoFactorSetup } from '#contract/account.ts'
import { CodeInput } from '#contract/auth.ts'
import { createCancel } from '#web/ui/cancel-form.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import classes from './account.module.css'
import { confirmTwoFactor } from './api.ts'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

type ScanCodeProps = { setup: TwoFactorSetup; onDone: (codes: RecoveryCodes) => void; onCancel: () => void }

const start = { code: '' }

/** Shows the secret for the authenticator app, and asks for a code to confirm it. */
export const ScanCode = ({ setup, onDone, onCancel }: ScanCodeProps) => {
  const { form, focusFirst, showFailure } = useCheckedForm({ schema: CodeInput, start })
  const { mutate, isPending } = useMutation(confirmTwoFactor)
  const submit = ({ code }: { code: string }) =>
    mutate(code, {
      onSuccess: onDone,
      onError: (failure) => showFailure(failure, "We couldn't check this. Try again in a moment."),
    })
  const { cancel, cancelOnEscape } = createCancel({ isTyped: form.isDirty, isBusy: isPending, onCancel })

  return (
    <form
      className={classes.form}
      noValidate
      aria-label="Set up two-factor sign-in"
      onKeyDown={cancelOnEscape}
      onSubmit={form.onSubmit(submit, focusFirst)}
    >
      <Text size="sm">
        Scan this with an authenticator app, then enter the six digits that it shows. On this device,{' '}
        <Anchor href={setup.uri} size="sm" underline="always">
          open the app
        </Anchor>{' '}
        instead.
      </Text>
      <div className={classes.qr}>
        <Suspense>
          <QrCode text={setup.uri} />
        </Suspense>
      </div>
      <div>
        <Text size="sm" c="dimmed">
          Or type this key into the app:
        </Text>
        <div className={classes.secret}>
          <code>{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={setup.secret} label="Copy key" />
        </div>
      </div>
      <TextInput
        ref={focusWhenShown}
        name="code"
        label="Code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        readOnly={isPending}
        {...form.getInputProps('code')}
      />
      <Group gap="xs">
        <SubmitButton busy={isPending} label="Switch on" busyLabel="Checking…" />
        <Button variant="default" onClick={cancel} disabled={isPending}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}
