import { useDocumentTitle } from '@mantine/hooks'
import { AddressScreen } from '#web/auth/address-screen.tsx'
import { drafts } from '#web/lib/drafts.ts'
import { waitingForms } from '#web/outbox/waiting-forms.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'

/** What this device keeps for the account is under its address. */
const moveKept = (from: string, to: string) => {
  drafts.move(from, to)
  waitingForms.move(from, to)
}

export const AddressPage = () => {
  useDocumentTitle('Confirm your new address · Sourcebook')
  return <AddressScreen current={useCurrentUser().email} onMove={moveKept} />
}
