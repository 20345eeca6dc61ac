import { useDocumentTitle } from '@mantine/hooks'
import { ResetScreen } from '#web/auth/reset-screen.tsx'

export const ResetPage = () => {
  useDocumentTitle('Choose a new password · Sourcebook')
  return <ResetScreen />
}
