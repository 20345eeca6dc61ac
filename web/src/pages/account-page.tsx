import { Account } from '#web/account/account.tsx'
import { Page } from '#web/ui/page.tsx'

export const AccountPage = () => (
  <Page title="Account" narrow>
    <Account />
  </Page>
)
