import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { drafts } from '#web/lib/drafts.ts'
import { checkSession, replaceSession } from '#web/session/api.ts'
import type { Other } from '#web/session/other-account.ts'
import { useCurrentUser, useSignIn } from '#web/session/use-current-user.ts'
import classes from './other-account-line.module.css'

/** Says that another account has signed in in another tab. Until the person chooses, this page stays as it is. */
export function OtherAccountLine({ other }: { other: Other }) {
  const client = useQueryClient()
  const { pathname, search } = useLocation()
  const { email } = useCurrentUser()
  const { account } = useSignIn()

  // The first account may be signed in again.
  useEffect(() => {
    const check = () => {
      if (!document.hidden) void checkSession(client).catch(() => {})
    }
    document.addEventListener('visibilitychange', check)
    return () => document.removeEventListener('visibilitychange', check)
  }, [client])

  const goOn = () => {
    drafts.discardHere(account)
    // Not the search, which the first person has typed.
    location.replace(location.pathname)
  }
  const signInAgain = () => void replaceSession(client, { user: null, from: pathname + search, email })

  return (
    <div role="alert" className={classes.place}>
      <div className={classes.line}>
        <span>
          <bdi>{other.user.name || other.user.email}</bdi> ({other.user.email}) is signed in in this browser now. This
          page belongs to {email}. Nothing is saved from here, and what you typed is still here.
        </span>
        <div className={classes.acts}>
          <Button variant="default" onClick={goOn}>
            Go on as {other.user.name || other.user.email}
          </Button>
          <Button onClick={signInAgain}>
            Sign in again<span className="visually-hidden"> as {email}</span>
          </Button>
        </div>
      </div>
    </div>
  )
}
