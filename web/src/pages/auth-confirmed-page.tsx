import { useDocumentTitle } from '@mantine/hooks'
import { ConfirmedScreen } from '#web/auth/sign-up/confirmed-screen.tsx'

export const ConfirmedPage = () => {
  useDocumentTitle('Confirm that it is you · Sourcebook')
  return <ConfirmedScreen />
}
