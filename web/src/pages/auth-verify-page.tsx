import { useDocumentTitle } from '@mantine/hooks'
import { VerifyScreen } from '#web/auth/links/verify-screen.tsx'
import { useCurrentUser } from '#web/session/use-current-user.ts'

export const VerifyPage = () => {
  useDocumentTitle('Confirm your address · Sourcebook')
  return <VerifyScreen current={useCurrentUser().email} />
}
