import { useDocumentTitle } from '@mantine/hooks'
import { ResetScreen } from '#web/auth/links/reset-screen.tsx'
import { useCurrentUser } from '#web/session/use-current-user.ts'

export const ResetPage = () => {
  useDocumentTitle('Choose a new password · Sourcebook')
  return <ResetScreen current={useCurrentUser().email} />
}
