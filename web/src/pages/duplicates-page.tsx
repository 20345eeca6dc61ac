import { ChangesLink } from '#web/changes/changes-link.tsx'
import { Duplicates } from '#web/duplicates/duplicates.tsx'
import { Page } from '#web/ui/page.tsx'

export const DuplicatesPage = () => (
  <Page title="Duplicates" actions={<ChangesLink />}>
    <Duplicates />
  </Page>
)
