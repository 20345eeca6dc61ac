import { Anchor } from '@mantine/core'
import { askForReset } from './api.ts'
import { MailAnswer, RESET_SENT, useMailRequest } from './mail-request.tsx'

/** Has the link to a new password sent. The same is said whether or not there is such an account. */
export const ForgotPassword = ({ email }: { email: string }) => {
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
