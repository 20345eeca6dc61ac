import { ChangesLink } from '#web/changes/changes-link.tsx'
import { Import } from '#web/import/import.tsx'
import { Page } from '#web/ui/page.tsx'

export const ImportPage = () => (
  <Page title="Import and export" actions={<ChangesLink />}>
    <Import />
  </Page>
)
