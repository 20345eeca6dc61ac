import { useDocumentTitle } from '@mantine/hooks'
import { AddressScreen } from '#web/auth/links/address-screen.tsx'
import { useCurrentUser } from '#web/session/use-current-user.ts'

export const AddressPage = () => {
  useDocumentTitle('Confirm your new address · Sourcebook')
  return <AddressScreen current={useCurrentUser().email} />
}
