import { Button } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Import as ImportData } from '#contract/import.ts'
import { ApiError } from '#web/lib/http.ts'
import { useQueryParam } from '#web/lib/use-query-param.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { getImport } from './api.ts'
import { ColumnsStep } from './columns-step.tsx'
import { DialectStep } from './dialect-step.tsx'
import { DoneStep } from './done-step.tsx'
import { FileStep } from './file-step.tsx'
import { ImportList } from './import-list.tsx'
import { PreviewStep } from './preview-step.tsx'
import { Steps } from './steps.tsx'

/** A file becomes records in five steps. The import and its step are in the address. */
export function Import() {
  const [id, setId] = useQueryParam('id')
  if (id !== '') return <OneImport key={id} id={id} close={() => setId('')} />
  return (
    <Steps current="file" title="Choose a file">
      <FileStep onUploaded={setId} />
      <ImportList />
    </Steps>
  )
}

function OneImport({ id, close }: { id: string; close: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(getImport(id))
  const [asked, setAsked] = useQueryParam('step')
  if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return <Gone close={close} />
  if (!data) {
    return error ? (
      <ErrorState title="The import could not be loaded" isRetrying={isFetching} retry={() => refetch()} />
    ) : null
  }
  const steps = { import: data, goTo: setAsked, close }
  if (hasRun(data)) {
    return (
      <Steps current="done" title={data.name}>
        <DoneStep {...steps} />
      </Steps>
    )
  }
  const step = data.state === 'failed' ? 'kind' : asked
  return (
    <Steps current={step === 'columns' || step === 'preview' ? step : 'kind'} title={data.name} goTo={setAsked}>
      {step === 'columns' ? (
        <ColumnsStep {...steps} />
      ) : step === 'preview' ? (
        <PreviewStep {...steps} />
      ) : (
        <DialectStep {...steps} />
      )}
    </Steps>
  )
}

const hasRun = ({ startedAt }: ImportData) => startedAt !== null

const Gone = ({ close }: { close: () => void }) => (
  <EmptyState
    icon={<IconFileOff size={28} stroke={1.5} />}
    title="There is no such import"
    text="It may belong to someone else."
    action={
      <Button variant="default" onClick={close}>
        Back to Import
      </Button>
    }
  />
)
