import { MergeScreen } from '#web/merge/merge-screen.tsx'
import { Page } from '#web/ui/page.tsx'

export const MergePage = () => (
  <Page title="Merge records">
    <MergeScreen />
  </Page>
)
