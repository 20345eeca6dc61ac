import { Button, Text, Title } from '@mantine/core'
import { resendVerification } from '#web/auth/api.ts'
import { MailAnswer, useMailRequest } from '#web/auth/links/mail-request.tsx'
import { StartAgainLink } from '#web/auth/start-again-link.tsx'
import type { AuthSteps } from '#web/auth/use-auth-steps.ts'
import { focusWhenShown } from '#web/ui/focus.ts'

/** The address must be confirmed before the first sign-in, by a link in a mail. */
export const CheckMailStep = (steps: AuthSteps) => {
  const { email } = steps.form.values
  const resend = useMailRequest(resendVerification, 'A new link is on its way.')
  return (
    <>
      <div>
        <Title order={2} size="h3" mb={4} ref={focusWhenShown} tabIndex={-1}>
          Check your mail
        </Title>
        <Text fw={600}>
          <bdi>{email}</bdi>
        </Text>
        <Text size="sm" mt={4}>
          {steps.notice}
        </Text>
        <Text size="sm" c="dimmed" mt={8}>
          Open the link in this browser: any other asks you to choose a new password. A mail can take a minute, and may
          be in the spam folder.
        </Text>
      </div>
      <Button fullWidth size="md" onClick={steps.signInAgain}>
        I have opened the link
      </Button>
      <Button variant="default" fullWidth size="md" disabled={!resend.mayAsk} onClick={() => resend.ask(email)}>
        {resend.isAsking ? 'Sending...' : 'Send again'}
      </Button>
      <MailAnswer {...resend} />
      <StartAgainLink {...steps} />
    </>
  )
}
