import { Changes } from '#web/changes/changes.tsx'
import { Page } from '#web/ui/page.tsx'

export const ChangesPage = () => (
  <Page title="Recent changes">
    <Changes />
  </Page>
)
