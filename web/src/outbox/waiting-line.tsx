import { Link, useLocation } from 'react-router'
import { paths } from '#web/paths.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import classes from './outbox.module.css'
import { useSending } from './use-sending.ts'
import { countForms, useWaitingForms } from './waiting-forms.ts'

/** Above every screen while forms wait on this device. Sends them when the network is back. */
export function WaitingLine() {
  const { email } = useCurrentUser()
  const { pathname } = useLocation()
  const forms = useWaitingForms(email)
  const refused = forms.filter(({ refusal }) => refusal !== undefined).length
  useSending(email, forms.length - refused, pathname)
  return (
    <div role="status" className={classes.place}>
      {forms.length > 0 && pathname !== paths.waiting && (
        <p className={classes.line}>
          <span>
            {countForms(forms.length)} waiting to be sent{refused > 0 && `, ${refused} refused`}
          </span>
          <Link to={paths.waiting}>Show</Link>
        </p>
      )}
    </div>
  )
}
