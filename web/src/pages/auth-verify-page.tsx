import { useDocumentTitle } from '@mantine/hooks'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { VerifyScreen } from '#web/auth/verify-screen.tsx'

export const VerifyPage = () => {
  useDocumentTitle('Confirm your address · Sourcebook')
  return <VerifyScreen isSignedIn={useCurrentUser().email !== ''} />
}
