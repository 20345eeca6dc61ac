import { Button, Group, Paper } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createCancel } from '#web/ui/cancel-form.ts'
import { DraftRestoredHint } from '#web/ui/draft-restored-hint.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { toasts } from '#web/ui/toasts.tsx'
import { createRecord } from './api.ts'
import type { RecordKind } from './kind.ts'
import { LinkHint } from './link-hint.tsx'
import type { FormValues, RecordForm } from './record-form.ts'
import { useRecordForm } from './use-record-form.ts'

type AddFormProps = {
  kind: RecordKind
  form: RecordForm
  account: string
  onAdded: () => void
  onCancelled: () => void
  /** Records similar to the form. Values of a link are not searched before the person changes the form. */
  similar: (about: { values: FormValues; isAsked: boolean; onDiscard: () => void }) => ReactNode
}

/** The form that adds a record, around the fields of its kind. */
export function AddForm({
  kind,
  form: { Input, empty, Fields },
  account,
  onAdded,
  onCancelled,
  similar,
}: AddFormProps) {
  const { form, ...entry } = useRecordForm({ kind, schema: Input, empty, account })
  const [isTouched, setTouched] = useState(false)
  const touch = () => setTouched(true)
  const create = useMutation(createRecord(kind))

  const submit = (values: FormValues) =>
    create.mutate(
      { values, key: entry.key() },
      {
        onSuccess: ({ enrichedData, notice }) => {
          toasts.success(enrichedData ? kind.texts.addedAndEnriched : `${kind.label} added successfully!`)
          if (notice) toasts.info(notice)
          entry.leave()
          onAdded()
        },
        onError: entry.showFieldErrors,
      },
    )

  const discard = () => {
    entry.leave()
    onCancelled()
  }
  const { cancel, cancelOnEscape } = createCancel({
    isTyped: () => entry.isTyped,
    isBusy: create.isPending,
    onCancel: discard,
  })

  return (
    <Paper
      component="form"
      withBorder
      className="form"
      noValidate
      aria-label={`Add ${kind.name}`}
      onKeyDown={cancelOnEscape}
      onChange={touch}
      onBlur={touch}
      onSubmit={form.onSubmit(submit, entry.focusFirst)}
    >
      {entry.source === 'draft' && <DraftRestoredHint startOver={entry.startOver} />}
      {entry.source === 'link' && <LinkHint text="Filled in from a link." act="Start over" onAct={entry.startOver} />}
      {entry.takeLink && <LinkHint text="The link has other values." act="Use them instead" onAct={entry.takeLink} />}
      <Fields
        form={form}
        mode="add"
        similar={similar({
          values: form.values,
          isAsked: isTouched || entry.source !== 'link',
          onDiscard: discard,
        })}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={cancel} disabled={create.isPending}>
          Cancel
        </Button>
        <SubmitButton busy={create.isPending} label={kind.texts.add} busyLabel="Adding…" />
      </Group>
    </Paper>
  )
}
