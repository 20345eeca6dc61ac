import { WaitingList } from '#web/outbox/waiting-list.tsx'
import { Page } from '#web/ui/page.tsx'

export const WaitingPage = () => (
  <Page title="Waiting to be sent">
    <WaitingList />
  </Page>
)
