import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import classes from '#web/auth/auth-card.module.css'
import { AuthCard } from '#web/auth/auth-card.tsx'
import { LinkMessage } from '#web/auth/links/link-message.tsx'
import { reportConfirmation } from '#web/session/confirmed-elsewhere.ts'
import { useSignIn } from '#web/session/use-current-user.ts'

/** The end of the window in which a person confirms by single sign-on. */
export const ConfirmedScreen = () => {
  const { account } = useSignIn()
  const [parameters] = useSearchParams()
  const error = parameters.get('error')
  useEffect(() => {
    reportConfirmation(account, { error })
    // A browser closes only windows that a page has opened.
    if (error === null) window.close()
  }, [account, error])
  return (
    <AuthCard>
      <div className={classes.step}>
        <LinkMessage
          title={error === null ? 'Confirmed' : 'Not confirmed'}
          text={
            error === null
              ? 'You can close this window and go on in the other one.'
              : 'Close this window and try again in the other one, with the account that you sign in with.'
          }
        />
      </div>
    </AuthCard>
  )
}
