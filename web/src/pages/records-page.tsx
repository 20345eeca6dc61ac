import { AddButton } from '#web/records/add-button.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { RecordSearch } from '#web/search/record-search.tsx'
import { Page } from '#web/ui/page.tsx'

export const RecordsPage = ({ kind }: { kind: RecordKind }) => (
  <Page title={`Search ${kind.plural}`} actions={<AddButton kind={kind} variant="light" />}>
    <RecordSearch kind={kind} />
  </Page>
)
