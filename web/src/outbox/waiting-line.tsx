import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '#web/paths.ts'
import { useCurrentUser, useOwner, useSignIn } from '#web/session/use-current-user.ts'
import classes from './outbox.module.css'
import { countForms, useEarlierForms, useWaitingForms } from './waiting-forms.ts'

/** Above every screen while forms wait on this device. Sends them when the network is back. */
export function WaitingLine() {
  const { email } = useCurrentUser()
  const owner = useOwner()
  const { pathname } = useLocation()
  const forms = useWaitingForms(owner)
  const earlier = useEarlierForms({ ...useSignIn(), email }).length
  const refused = forms.filter(({ refusal }) => refusal !== undefined).length
  useSending(owner, forms.length - refused, pathname)
  return (
    <div role="status" className={classes.place}>
      {forms.length + earlier > 0 && pathname !== paths.waiting && (
        <p className={classes.line}>
          <span>
            {countForms(forms.length + earlier)} waiting to be sent{refused > 0 && `, ${refused} refused`}
            {earlier > 0 && `, ${earlier} from an earlier sign-in`}
          </span>
          <Link to={paths.waiting}>Show</Link>
        </p>
      )}
    </div>
  )
}

const AFTER_FAILED_LOAD_MS = 5000

/** Sends the waiting forms now, when the network is back, and from time to time until none is left. */
function useSending(account: string, count: number, pathname: string) {
  const client = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form that was edited is sent when its screen is left
  useEffect(() => {
    if (count === 0) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const send = async () => {
      clearTimeout(timer)
      const wait = await import('./send.ts').then(
        ({ sendWaiting }) => sendWaiting(client, account),
        () => AFTER_FAILED_LOAD_MS,
      )
      clearTimeout(timer)
      if (!isOver) timer = setTimeout(send, wait)
    }
    void send()
    window.addEventListener('online', send)
    return () => {
      isOver = true
      clearTimeout(timer)
      window.removeEventListener('online', send)
    }
  }, [client, account, count, pathname])
}
