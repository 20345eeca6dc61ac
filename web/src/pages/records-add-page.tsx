import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import type { Similar } from '#contract/duplicates.ts'
import { AlsoFound } from '#web/duplicates/also-found.tsx'
import { SimilarRecords } from '#web/duplicates/similar-records.tsx'
import { kinds } from '#web/kinds.ts'
import { whenIdle } from '#web/lib/idle.ts'
import { useGoBack } from '#web/lib/use-go-back.ts'
import { AfterChips } from '#web/outbox/after-chips.tsx'
import { applyAfterAdding } from '#web/outbox/apply-after-adding.ts'
import { keepWaiting } from '#web/outbox/keep-waiting.ts'
import { useHeldForm } from '#web/outbox/use-held-form.ts'
import { type WaitingForm, waitingForms } from '#web/outbox/waiting-forms.ts'
import { addPath, paths, searchPath, WAITING } from '#web/paths.ts'
import { ProposalBar, proposalIn } from '#web/proposals/proposal-bar.tsx'
import { AddForm } from '#web/records/form/add-form.tsx'
import { useAfterAdding } from '#web/records/form/after-adding.ts'
import { linkValues } from '#web/records/form/link-values.ts'
import type { RecordForm } from '#web/records/form/record-form.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { Page } from '#web/ui/page.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'

type AddProps = { kind: RecordKind; form: RecordForm }

export function RecordsAddPage({ kind, form }: AddProps) {
  const waiting = useSearchParams()[0].get(WAITING)
  const { state } = useLocation()
  useEffect(() => whenIdle(preload), [])
  return (
    <Page title={`Add ${kind.label}`} narrow="beside">
      <ProposalBar />
      {waiting === null ? (
        <Add key={proposalIn(state)} kind={kind} form={form} />
      ) : (
        <EditWaiting key={waiting} kind={kind} form={form} id={waiting} />
      )}
    </Page>
  )
}

/** Loads what a waiting form needs, while there is a network. */
const preload = () =>
  void Promise.allSettled([
    import('./waiting-page.tsx'),
    import('#web/outbox/send.ts'),
    import('#web/ui/dialogs/confirm-dialog.tsx'),
    ...kinds.map((kind) => kind.loadForm()),
  ])

function Add({ kind, form, waiting }: AddProps & { waiting?: WaitingForm }) {
  const navigate = useNavigate()
  const goBack = useGoBack(waiting ? paths.waiting : searchPath(kind))
  const owner = useOwner()
  const client = useQueryClient()
  const proposal = proposalIn(useLocation().state)
  const { after, set, clear } = useAfterAdding(kind, owner, waiting)
  const { tag } = after
  const addAnother = () => {
    linkValues.keepAfter(kind, { ...(tag !== undefined && { tag }) })
    navigate(addPath(kind))
  }
  return (
    <AddForm<Similar>
      kind={kind}
      form={form}
      account={owner}
      waiting={waiting}
      keepWaiting={(record, wasOnline) =>
        keepWaiting({ kind, account: owner, edited: waiting, after }, record, wasOnline)
      }
      onWaiting={() => {
        set({ ...(tag !== undefined && { tag }) })
        toasts.info('You are offline. This form waits on this device and is sent when the network is back.')
        if (waiting) navigate(paths.waiting)
      }}
      below={Object.keys(after).length > 0 && <AfterChips after={after} onChange={set} />}
      onAddAnother={tag === undefined ? undefined : addAnother}
      onAdded={(record) => {
        const { id, name } = record
        if (Object.keys(after).length > 0) void applyAfterAdding(client, kind, record, after)
        clear()
        if (waiting) waitingForms.delete(owner, waiting.id)
        navigate(proposal === undefined ? searchPath(kind) : paths.proposals, { state: { added: { id, name } } })
      }}
      onCancelled={() => {
        clear()
        goBack()
      }}
      similar={(about) => <SimilarRecords kind={kind} {...about} />}
      met={(about) => <AlsoFound kind={kind} account={owner} {...about} />}
    />
  )
}

/** A form that waits for the network. It is not sent while it is open here. */
function EditWaiting({ kind, form, id }: AddProps & { id: string }) {
  const owner = useOwner()
  const waiting = useHeldForm(owner, id)
  if (waiting === undefined) return <Text c="dimmed">This form is being sent, or is open in another tab.</Text>
  if (waiting === null || waiting.kind !== kind.name) return <Navigate to={paths.waiting} replace />
  return (
    <>
      {waiting.refusal !== undefined && (
        <Text role="status" c="red">
          Not sent: {waiting.refusal}
        </Text>
      )}
      <Add kind={kind} form={{ ...form, empty: { ...form.empty, ...waiting.values } }} waiting={waiting} />
    </>
  )
}
