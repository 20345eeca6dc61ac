import { MyRecords } from '#web/my-records/my-records.tsx'
import { UserBadge } from '#web/my-records/user-badge.tsx'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { Page } from '#web/ui/page.tsx'

export const MyRecordsPage = () => {
  const user = useCurrentUser()
  return (
    <Page title="My Records" actions={<UserBadge user={user} />}>
      <MyRecords user={user} />
    </Page>
  )
}
