import { ShareChoice } from '#web/share/share-choice.tsx'
import { Page } from '#web/ui/page.tsx'

export const SharePage = () => (
  <Page title="Add what you shared" narrow>
    <ShareChoice />
  </Page>
)
