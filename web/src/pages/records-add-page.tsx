import { useNavigate } from 'react-router'
import type { Similar } from '#contract/duplicates.ts'
import { MetToo } from '#web/duplicates/met-too.tsx'
import { SimilarRecords } from '#web/duplicates/similar-records.tsx'
import { useGoBack } from '#web/lib/use-go-back.ts'
import { searchPath } from '#web/paths.ts'
import { AddForm } from '#web/records/add-form.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordForm } from '#web/records/record-form.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { Page } from '#web/ui/page.tsx'

export function RecordsAddPage({ kind, form }: { kind: RecordKind; form: RecordForm }) {
  const navigate = useNavigate()
  const goBack = useGoBack(searchPath(kind))
  const { email } = useCurrentUser()
  return (
    <Page title={`Add ${kind.label}`} narrow="beside">
      <AddForm<Similar>
        kind={kind}
        form={form}
        account={email}
        onAdded={({ id, name }) => navigate(searchPath(kind), { state: { added: { id, name } } })}
        onCancelled={goBack}
        similar={(about) => <SimilarRecords kind={kind} {...about} />}
        met={(about) => <MetToo kind={kind} account={email} {...about} />}
      />
    </Page>
  )
}
