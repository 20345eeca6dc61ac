import { Anchor, Text } from '@mantine/core'
import { askForReset } from '#web/auth/api.ts'
import { settings } from '#web/lib/settings.ts'
import { MailAnswer, RESET_SENT, useMailRequest } from './mail-request.tsx'

/** The way to a new password: a link by mail, or whom to ask for one where no mail is set up. */
export const ForgotPassword = ({ email }: { email: string }) =>
  settings.mail ? (
    <ResetByMail email={email} />
  ) : (
    <Text size="sm" c="dimmed">
      Forgot your password? Ask {settings.contact} for a link to choose a new one.
    </Text>
  )

/** The response is the same with and without such an account. */
const ResetByMail = ({ email }: { email: string }) => {
  const reset = useMailRequest(askForReset, RESET_SENT)
  return (
    <div>
      {!reset.isSent && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          mih={40}
          disabled={!reset.mayAsk}
          onClick={() => reset.ask(email)}
        >
          Forgot your password?
        </Anchor>
      )}
      <MailAnswer {...reset} />
    </div>
  )
}
