import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '#web/ui/error-state.tsx'
import classes from './account.module.css'
import { AccountSkeleton } from './account-skeleton.tsx'
import { AddFromAnyPage } from './add-from-any-page.tsx'
import { account } from './api.ts'
import { KeysSection } from './keys-section.tsx'
import { Password } from './password.tsx'
import { ProfileSection } from './profile-section.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

export const Account = () => {
  const { data, error, isPending, refetch } = useQuery(account)
  if (isPending) return <AccountSkeleton />
  if (!data) return <ErrorState title="Your account could not be loaded" error={error} retry={refetch} />
  return (
    <div className={classes.sections}>
      <ProfileSection {...data} />
      <Password {...data} />
      <TwoFactor {...data} />
      <AddFromAnyPage />
      <KeysSection />
      <Sessions {...data} />
    </div>
  )
}
