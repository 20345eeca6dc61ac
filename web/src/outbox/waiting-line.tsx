import { Link, useLocation } from 'react-router'
import { paths } from '#web/paths.ts'
import { useCurrentUser, useOwner, useSignIn } from '#web/session/use-current-user.ts'
import classes from './outbox.module.css'
import { useSending } from './use-sending.ts'
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
