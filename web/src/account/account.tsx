import { useQuery } from '@tanstack/react-query'
import { Failed } from '#web/ui/failed.tsx'
import classes from './account.module.css'
import { AccountSkeleton } from './account-skeleton.tsx'
import { account } from './api.ts'
import { Password } from './password.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'
import { You } from './you.tsx'

export const Account = () => {
  const { data, isPending, isFetching, refetch } = useQuery(account)
  if (isPending) return <AccountSkeleton />
  if (!data) return <Failed title="Your account could not be loaded" isRetrying={isFetching} retry={refetch} />
  return (
    <div className={classes.sections}>
      <You {...data} />
      <Password {...data} />
      <TwoFactor {...data} />
      <Sessions {...data} />
    </div>
  )
}
