import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Switch.css'
import { Button, Paper, Switch, Text, Title } from '@mantine/core'
import { IconFileOff } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Import as ImportData } from '#contract/import.ts'
import { ApiError } from '#web/lib/http.ts'
import { useParameters } from '#web/lib/use-parameters.ts'
import { useQueryParam } from '#web/lib/use-query-param.ts'
import { importPath, paths } from '#web/paths.ts'
import { getRights } from '#web/session/api.ts'
import { LoadingButton } from '#web/ui/buttons/loading-button.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { getImport } from './api.ts'
import { lackOf } from './columns/column-mapping.ts'
import { ColumnsStep } from './columns/columns-step.tsx'
import { DoneStep } from './done-step.tsx'
import { DialectStep } from './file/dialect-step.tsx'
import { FileStep } from './file/file-step.tsx'
import classes from './import.module.css'
import { ImportEntry } from './import-entry.tsx'
import { listImports } from './list-imports.ts'
import { PreviewStep } from './rows/preview-step.tsx'
import { type StepName, type StepProps, Steps } from './steps.tsx'
import { sizeOf, stateLabels } from './words.ts'

/** Imports a file in five steps. The import and its step are in the address. */
export function Import() {
  const navigate = useNavigate()
  const [id] = useQueryParam('id')
  const [parameters, change] = useParameters()
  const asked = parameters.get('step') ?? ''
  const { key, state }: { key: string; state: { steps?: number } | null } = useLocation()
  const steps = state?.steps ?? 0
  const goTo = (step: StepName) => change({ step }, { state: { steps: steps + 1 }, preventScrollReset: true })
  const { data, error, refetch } = useQuery({ ...getImport(id), enabled: id !== '' })
  const close = () => navigate(paths.import)
  const shown = id === '' ? undefined : data
  const isRun = shown !== undefined && shown.startedAt !== null
  // The steps of an import that runs cannot be opened again, so Back leads out of it.
  const left = useRef('')
  const doubted = useRef('')
  useEffect(() => {
    if (!isRun || steps === 0 || left.current === key) return
    left.current = key
    void navigate(-steps)
  }, [isRun, steps, key, navigate])
  if (id !== '' && error instanceof ApiError && (error.status === 403 || error.status === 404)) {
    return <Gone close={close} />
  }
  if (id !== '' && !data) {
    return error ? <ErrorState title="The import could not be loaded" error={error} retry={refetch} /> : null
  }
  if (!shown) {
    return (
      <Steps current="file" title="Choose a file" goTo={undefined}>
        <FileStep onUploaded={(id) => navigate(importPath(id))} />
        <ImportList />
      </Steps>
    )
  }
  const found = stepOf(shown, asked)
  if (asked === '' && found === 'kind') doubted.current = id
  // A change ends the doubts, and its sample is to be compared before the person continues.
  const step = asked === '' && doubted.current === id && !isRun ? 'kind' : found
  return (
    <Steps
      current={step}
      title={titleOf(shown, step)}
      subtitle={
        <>
          <bdi>{shown.name}</bdi> · {sizeOf(shown.bytes)}
          {!shown.isMine && (
            <>
              {' '}
              · uploaded by <bdi>{shown.by}</bdi>
              {shown.kind !== 'note' && ', as whose records these count'}
            </>
          )}
        </>
      }
      goTo={step === 'done' ? undefined : goTo}
    >
      <Step key={id} step={step} import={shown} goTo={goTo} close={close} />
    </Steps>
  )
}

/**
 * An import cannot be changed once it has started to write. An unreadable file has no columns. Unless a person has
 * chosen a step, it is the first one with a doubt, and there is no preview without the needed columns.
 */
function stepOf({ kind, startedAt, state, doubts, mapping }: ImportData, asked: string): StepName {
  if (startedAt !== null) return 'done'
  const isLacking = lackOf(kind, mapping) !== undefined
  if (state === 'failed' || asked === 'kind') return 'kind'
  if (asked === 'columns' || (asked === 'preview' && isLacking)) return 'columns'
  if (asked === 'preview') return 'preview'
  if (doubts.dialect || doubts.kind || doubts.encoding !== undefined) return 'kind'
  const isOpen = doubts.mapping || doubts.values || doubts.dates !== undefined
  return isOpen || isLacking ? 'columns' : 'preview'
}

function titleOf({ state }: ImportData, step: StepName): string {
  if (step === 'done' || state === 'failed') return stateLabels[state]
  return { file: 'Choose a file', kind: 'Format', columns: 'Columns', preview: 'Preview' }[step]
}

function Step({ step, ...props }: StepProps & { step: StepName }) {
  if (step === 'done') return <DoneStep {...props} />
  if (step === 'preview') return <PreviewStep {...props} />
  return step === 'columns' ? <ColumnsStep {...props} /> : <DialectStep {...props} />
}

const Gone = ({ close }: { close: () => void }) => (
  <EmptyState
    icon={<IconFileOff size={28} stroke={1.5} />}
    title="Import not found"
    text="It may have been deleted, or belong to someone else."
    action={<Button onClick={close}>Back to Import</Button>}
  />
)

/** The imports of the signed-in person, newest first; for managers also those of everyone. */
function ImportList() {
  const [all, setAll] = useQueryParam('all')
  const maySeeAll = useQuery(getRights).data?.allImports.allowed ?? false
  const isEveryones = maySeeAll && all === 'true'
  const list = useInfiniteQuery(listImports(isEveryones ? 'all' : 'mine'))
  const heading = useRef<HTMLHeadingElement>(null)
  const rows = list.data?.pages.flatMap((page) => page.rows)
  const title = isEveryones ? "Everyone's imports" : 'Your imports'

  if (!maySeeAll && rows?.length === 0) return null
  if (!rows && !list.error) return null
  return (
    <section aria-labelledby="imports">
      <div className={classes.listHead}>
        <Title order={2} size="h4" id="imports" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {maySeeAll && (
          <Switch
            label="Everyone's"
            checked={isEveryones}
            onChange={({ currentTarget }) => setAll(currentTarget.checked ? 'true' : '')}
          />
        )}
      </div>
      {!rows && <ErrorState title={`${title} could not be loaded`} error={list.error} retry={list.refetch} />}
      {rows?.length === 0 && (
        <Text size="sm" c="dimmed">
          No imports yet
        </Text>
      )}
      {rows && rows.length > 0 && (
        <Paper withBorder component="ul" className={classes.list ?? ''}>
          {rows.map((shown) => (
            <ImportEntry
              key={shown.id}
              import={shown}
              isNamed={isEveryones}
              onDeleted={() => heading.current?.focus({ preventScroll: true })}
            />
          ))}
        </Paper>
      )}
      {list.hasNextPage && (
        <div className={classes.more}>
          <LoadingButton variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Show more
          </LoadingButton>
        </div>
      )}
    </section>
  )
}
