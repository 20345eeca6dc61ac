import { Proposals } from '#web/proposals/proposals.tsx'
import { Page } from '#web/ui/page.tsx'

export const ProposalsPage = () => (
  <Page title="Proposals" narrow>
    <Proposals />
  </Page>
)
