import { ViewScreen } from '#web/searches/view-screen.tsx'
import { Page } from '#web/ui/page.tsx'

export const ViewsPage = () => (
  <Page title="View">
    <ViewScreen />
  </Page>
)
