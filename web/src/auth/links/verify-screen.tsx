import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { resendVerification, verifyAddress } from '#web/auth/api.ts'
import classes from '#web/auth/auth-card.module.css'
import { AuthCard } from '#web/auth/auth-card.tsx'
import { SignedInAs } from '#web/auth/links/link-message.tsx'
import { awaitedAddress } from '#web/auth/sign-up/awaited-address.ts'
import { ApiError, sentenceOf } from '#web/lib/http.ts'
import { deleteLinkToken, linkTokenAt } from '#web/lib/link-token.ts'
import { settings } from '#web/lib/settings.ts'
import { paths } from '#web/paths.ts'
import { AskForLink } from './ask-for-link.tsx'
import { LinkConfirmation } from './link-confirmation.tsx'
import { LinkMessage } from './link-message.tsx'
import { NewPasswordForm } from './new-password-form.tsx'

/** Opened by the link in the mail that confirms an address. */
export const VerifyScreen = ({ current }: { current: string }) => {
  const [email] = useState(awaitedAddress.get)
  const [token] = useState(() => linkTokenAt(paths.verify))
  return (
    <AuthCard>
      <div className={classes.step}>
        {token === undefined ? (
          <NotProven email={email} says="This link is incomplete. Open it from the mail, or ask for a new one." />
        ) : (
          <Confirmation token={token} email={email} current={current} />
        )}
      </div>
    </AuthCard>
  )
}

type ConfirmationProps = { token: string; email: string; current: string }

const Confirmation = ({ token, email, current }: ConfirmationProps) => {
  const verify = useMutation({
    ...verifyAddress,
    onSuccess: () => {
      awaitedAddress.delete()
      deleteLinkToken()
    },
  })
  const [refusal, setRefusal] = useState<string>()
  const { status, code } = verify.error instanceof ApiError ? verify.error : new ApiError(0, {})

  if (refusal !== undefined) return <NotProven email={email} says={refusal} />
  if (verify.isSuccess) {
    return (
      <>
        <LinkMessage title="Your address is confirmed" />
        <Button component={Link} to={paths.auth} state={{ email }} fullWidth size="md">
          {current !== '' ? 'Go to the dashboard' : 'Sign in'}
        </Button>
      </>
    )
  }
  if (code === 'choose_password') {
    return (
      <NewPasswordForm
        token={token}
        text="This account was created in another browser, or more than a day ago. To confirm that the address is yours, choose a new password. It replaces the one from the sign-up."
        current={current}
        done="Your address is confirmed. Sign in with your new password."
        onRefused={setRefusal}
      />
    )
  }
  if (status === 400) return <NotProven email={email} says={sentenceOf(verify.error, '')} />
  return (
    <LinkConfirmation
      title="Confirm your address"
      text={
        <>
          We sent this link to your email address. Confirm that the address is yours. <SignedInAs current={current} />
        </>
      }
      failed="Your address is not confirmed yet"
      label="Confirm this address"
      busyLabel="Confirming..."
      act={verify}
      onConfirm={() => verify.mutate(token)}
    />
  )
}

const NotProven = ({ email, says }: { email: string; says: string }) => (
  <>
    <LinkMessage title="This link does not work" text={says} />
    {settings.mail && (
      <AskForLink
        label="Ask for a new link"
        email={email}
        asks={resendVerification}
        sent="If this address has an unconfirmed account, a new link is on its way."
      />
    )}
    <Button component={Link} to={paths.auth} state={{ email }} variant="subtle" fullWidth>
      Back to sign-in
    </Button>
  </>
)
