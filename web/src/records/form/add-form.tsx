import { Button, Group, Paper } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Overrule as OverruleInput } from '#contract/overrule.ts'
import { LinkHint } from '#web/filled/link-hint.tsx'
import { useTouched } from '#web/filled/use-touched.ts'
import { createRecord, type KeepWaiting } from '#web/records/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { DraftRestoredHint } from '#web/ui/states/draft-restored-hint.tsx'
import classes from './add-form.module.css'
import { showAdded } from './added-toasts.ts'
import { notKept, Overrule } from './overrule.tsx'
import type { FormValues, RecordForm } from './record-form.ts'
import { type RecordFormDraft, useRecordForm } from './use-record-form.ts'

type AddFormProps<Met> = {
  kind: RecordKind
  form: RecordForm
  account: string
  /** A form that waits for the network, while it is edited. */
  waiting?: { id: string; key: string } | undefined
  keepWaiting?: KeepWaiting
  /** Where its values are kept, if not with the screen that adds a record. */
  draft?: RecordFormDraft
  /** Around the form, if it is not on a page: a dialog, which Escape and Back leave as Cancel does. */
  frame?: (form: ReactNode, cancel: () => void) => ReactNode
  /** Below the fields. */
  below?: ReactNode
  /** Opens another form, which the message about the added record offers. */
  onAddAnother?: (() => void) | undefined
  /** Called once the form waits; the values start over. */
  onWaiting?: () => void
  onAdded: (record: RecordRow) => void
  onCancelled: () => void
  /** Records similar to the form. Values of a link are not searched before the person changes the form. */
  similar: (about: { values: FormValues; isAsked: boolean; onMet: (record: Met) => void }) => ReactNode
  /** Shown in place of the form once the person has met one of them too. */
  met?: (about: {
    record: Met
    values: FormValues
    onNoted: () => void
    onTakenBack: () => void
    onAddAnother: () => void
  }) => ReactNode
}

/** The form that adds a record, around the fields of its kind. */
export function AddForm<Met>({
  kind,
  form: { Input, empty, Fields },
  account,
  waiting,
  keepWaiting,
  draft,
  frame,
  below,
  onAddAnother,
  onWaiting,
  onAdded,
  onCancelled,
  similar,
  met,
}: AddFormProps<Met>) {
  const { form, ...entry } = useRecordForm({ kind, schema: Input, empty, account, waiting, own: draft })
  const { isTouched, touching, untouched, maySend } = useTouched(entry.source === 'link')
  const [metRecord, setMet] = useState<Met>()
  const create = useMutation(createRecord(kind, keepWaiting))

  const refusal = notKept(create.error)

  const submit = (values: FormValues, overrule?: OverruleInput) =>
    create.mutate(
      { values, key: entry.key(), overrule },
      {
        onSuccess: (created) => {
          entry.leave()
          if (created === null) {
            entry.startOver()
            untouched()
            return onWaiting?.()
          }
          showAdded(kind, created, onAddAnother)
          const { enrichedData: _, notice: __, ...record } = created
          onAdded(record)
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

  if (metRecord !== undefined && met) {
    const backToForm = () => setMet(undefined)
    const addAnother = () => {
      entry.leave()
      entry.startOver()
      untouched()
      backToForm()
    }
    return met({
      ...{ record: metRecord, values: form.values },
      ...{ onNoted: entry.leave, onTakenBack: backToForm, onAddAnother: addAnother },
    })
  }

  const shown = (
    <Paper
      component="form"
      withBorder={!frame}
      className={`form ${classes.form}`}
      data-framed={frame ? true : undefined}
      noValidate
      aria-label={`Add ${kind.name}`}
      onKeyDown={frame ? undefined : cancelOnEscape}
      {...touching}
      onSubmit={
        maySend ? form.onSubmit((values) => submit(values), entry.focusFirst) : (event) => event.preventDefault()
      }
    >
      {entry.source === 'draft' && <DraftRestoredHint startOver={entry.startOver} />}
      {entry.source === 'link' && <LinkHint act="Start over" onAct={entry.startOver} />}
      {entry.takeLink && <LinkHint text="The link has other values." act="Use them instead" onAct={entry.takeLink} />}
      <Fields
        form={form}
        mode="add"
        takesFocus={entry.source !== 'link'}
        similar={similar({
          values: form.values,
          isAsked: isTouched || entry.source !== 'link',
          onMet: setMet,
        })}
      />
      {below}
      {refusal && (
        <Overrule
          sentence={refusal}
          label="Add anyway"
          isBusy={create.isPending}
          onOverrule={(reason) => submit(form.values, { reason })}
        />
      )}
      <Group justify="flex-end" gap="xs" className={classes.acts}>
        <Button variant="default" onClick={cancel} disabled={create.isPending}>
          Cancel
        </Button>
        <SubmitButton busy={create.isPending} label={kind.texts.add} busyLabel="Adding…" />
      </Group>
    </Paper>
  )
  if (!frame) return shown
  return frame(shown, () => {
    if (!create.isPending) void cancel()
  })
}
