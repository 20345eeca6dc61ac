import { useDocumentTitle } from '@mantine/hooks'
import { AuthScreen } from '#web/auth/auth-screen.tsx'

export const AuthPage = () => {
  useDocumentTitle('Sign in · Sourcebook')
  return <AuthScreen />
}
