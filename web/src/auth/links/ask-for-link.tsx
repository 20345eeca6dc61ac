import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { UseMutationOptions } from '@tanstack/react-query'
import { EmailInput } from '#contract/auth.ts'
import classes from '#web/auth/auth-card.module.css'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { MailAnswer, useMailRequest } from './mail-request.tsx'

type AskForLinkProps = {
  /** The name of the form for screen readers. */
  label: string
  email: string
  asks: UseMutationOptions<void, Error, string>
  /** Shown after the request, whether or not there is such an account. */
  sent: string
}

/** Asks for the address to send a link to. */
export const AskForLink = ({ label, email, asks, sent }: AskForLinkProps) => {
  const request = useMailRequest(asks, sent)
  const form = useForm({
    initialValues: { email },
    validate: { email: (typed) => EmailInput.safeParse({ email: typed }).error?.issues[0]?.message },
  })
  return (
    <form
      className={classes.step}
      noValidate
      aria-label={label}
      aria-busy={request.isAsking}
      onSubmit={form.onSubmit(
        ({ email }) => {
          if (request.mayAsk) request.ask(email)
        },
        () => form.getInputNode('email')?.focus(),
      )}
    >
      <TextInput
        type="email"
        name="email"
        label="Email"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('email')}
      />
      <SubmitButton
        busy={request.isAsking}
        disabled={!request.mayAsk}
        label="Send a link"
        busyLabel="Sending..."
        fullWidth
        size="md"
      />
      <MailAnswer {...request} />
    </form>
  )
}
