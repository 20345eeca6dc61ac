import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { ApiError, sentenceOf } from '#web/lib/http.ts'
import { linkTokenAt } from '#web/lib/link-token.ts'
import { settings } from '#web/lib/settings.ts'
import { paths } from '#web/paths.ts'
import { resendVerification, verification } from './api.ts'
import { AskForLink } from './ask-for-link.tsx'
import classes from './auth-card.module.css'
import { AuthCard } from './auth-card.tsx'
import { awaitedAddress } from './awaited-address.ts'
import { LinkMessage } from './link-message.tsx'

/** Where the link of the mail that proves an address leads to. */
export const VerifyScreen = ({ isSignedIn }: { isSignedIn: boolean }) => {
  const [email] = useState(awaitedAddress.get)
  const token = linkTokenAt(paths.verify)
  return (
    <AuthCard>
      <div className={classes.step}>
        {token === undefined ? (
          <NotProven email={email} says="This link is not complete. Open it from the mail, or ask for a new one." />
        ) : (
          <Proving token={token} email={email} isSignedIn={isSignedIn} />
        )}
      </div>
    </AuthCard>
  )
}

type ProvingProps = { token: string; email: string; isSignedIn: boolean }

const Proving = ({ token, email, isSignedIn }: ProvingProps) => {
  const { isSuccess, isFetching, error, refetch } = useQuery(verification(token))

  useEffect(() => {
    if (isSuccess) awaitedAddress.drop()
  }, [isSuccess])

  if (isFetching) {
    return (
      <div role="status" className={classes.waiting}>
        <Loader size={20} />
        Confirming your address…
      </div>
    )
  }
  if (isSuccess) {
    return (
      <>
        <LinkMessage title="Your address is confirmed" />
        <Button component={Link} to={paths.auth} state={{ email }} fullWidth size="md">
          {isSignedIn ? 'Go to the dashboard' : 'Sign in'}
        </Button>
      </>
    )
  }
  if (error instanceof ApiError && error.status === 400) {
    return <NotProven email={email} says={sentenceOf(error, '')} />
  }
  return (
    <>
      <LinkMessage
        title="Your address is not confirmed yet"
        text={sentenceOf(error, 'The server could not be reached, or had a problem of its own.')}
      />
      <Button fullWidth size="md" onClick={() => refetch()}>
        Try again
      </Button>
    </>
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
        sent="If an account with this address waits to be confirmed, a new link is on its way."
      />
    )}
    <Button component={Link} to={paths.auth} state={{ email }} variant="subtle" fullWidth>
      Back to sign-in
    </Button>
  </>
)
