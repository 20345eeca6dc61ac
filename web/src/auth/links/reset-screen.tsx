import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { askForReset } from '#web/auth/api.ts'
import classes from '#web/auth/auth-card.module.css'
import { AuthCard } from '#web/auth/auth-card.tsx'
import { linkTokenAt } from '#web/lib/link-token.ts'
import { settings } from '#web/lib/settings.ts'
import { paths } from '#web/paths.ts'
import { AskForLink } from './ask-for-link.tsx'
import { LinkMessage } from './link-message.tsx'
import { RESET_SENT } from './mail-request.tsx'
import { NewPasswordForm } from './new-password-form.tsx'

/**
 * Opened by the link to a new password, from a mail or an administrator. Without a link, a person can request one here.
 */
export const ResetScreen = ({ current }: { current: string }) => {
  const [token] = useState(() => linkTokenAt(paths.reset))
  const [refusal, setRefusal] = useState<string>()
  return (
    <AuthCard>
      <div className={classes.step}>
        {token !== undefined && refusal === undefined ? (
          <NewPasswordForm
            token={token}
            text="It signs you out everywhere else."
            current={current}
            done="Your new password is saved. Sign in with it."
            onRefused={setRefusal}
          />
        ) : (
          <AskForReset refusal={refusal} />
        )}
      </div>
    </AuthCard>
  )
}

const AskForReset = ({ refusal }: { refusal: string | undefined }) => (
  <>
    {refusal === undefined ? (
      <LinkMessage title="Choose a new password" text={settings.mail ? 'We will send you a link by mail.' : NO_MAIL} />
    ) : (
      <LinkMessage title="This link does not work" text={settings.mail ? refusal : `${refusal} ${NO_MAIL}`} />
    )}
    {settings.mail && <AskForLink label="Ask for a new link" email="" asks={askForReset} sent={RESET_SENT} />}
    <Button component={Link} to={paths.auth} variant="subtle" fullWidth>
      Back to sign-in
    </Button>
  </>
)

const NO_MAIL = `No mail is set up here. Ask ${settings.contact} for a link to choose a new password.`
