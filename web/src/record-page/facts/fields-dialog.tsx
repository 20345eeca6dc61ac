import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { editableFields, type Field, isProse } from '#contract/fields.ts'
import type { Overrule as OverruleInput } from '#contract/overrule.ts'
import { capital } from '#contract/plain-text.ts'
import { Conflict, useChangedSentence } from '#web/my-records/edit-form.tsx'
import { Overrule } from '#web/records/form/overrule.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { Modal } from '#web/ui/dialogs/modal.tsx'
import { useAfterMount } from '#web/ui/dialogs/use-after-mount.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { DraftRestoredHint } from '#web/ui/states/draft-restored-hint.tsx'
import { isRequired, labelOf } from './fields.ts'
import classes from './fields-dialog.module.css'
import { useSaving } from './use-correction.ts'
import { type FieldsDraft, useFieldsDraft } from './use-fields-draft.ts'

type FieldsDialogProps = {
  kind: RecordKind
  record: RecordRow
  isOpen: boolean
  onClose: () => void
  onClosed: () => void
}

/** All fields that can be corrected, as one form. Escape, Back and Cancel ask first if something was typed. */
export function FieldsDialog({ kind, record, isOpen, onClose, onClosed }: FieldsDialogProps) {
  const [isShown = false] = useAfterMount(isOpen)
  const draft = useFieldsDraft(kind, record)
  const end = () => {
    draft.discard()
    onClose()
  }
  const saving = useSaving(kind, record.id, end)
  const leave = () => {
    saving.forgetFaults()
    saving.endConflict()
    end()
  }
  const { cancel } = createCancel({ isTyped: () => draft.isTyped, onCancel: leave })
  const cancelUnlessBusy = () => {
    if (!saving.isPending) void cancel()
  }
  return (
    <Modal
      opened={isShown}
      onClose={cancelUnlessBusy}
      onExitTransitionEnd={onClosed}
      withCloseButton={false}
      yOffset="8dvh"
      size={560}
      zIndex={300}
      transitionProps={{ duration: 150 }}
      padding={24}
    >
      <Modal.Title component="h2" className={classes.title ?? ''}>
        Edit <bdi>{record.name}</bdi>
      </Modal.Title>
      <FieldsForm {...{ kind, record, draft, saving }} onCancel={cancelUnlessBusy} onEnd={leave} />
    </Modal>
  )
}

type FieldsFormProps = {
  kind: RecordKind
  record: RecordRow
  draft: FieldsDraft
  saving: ReturnType<typeof useSaving>
  onCancel: () => void
  onEnd: () => void
}

/** Mounted with each opening. Enter saves, in a text of several lines with Ctrl. */
function FieldsForm({ kind, record, draft, saving, onCancel, onEnd }: FieldsFormProps) {
  const { conflict, isPending, faults, refusal } = saving
  const { texts, was, version } = draft
  const [isRestored, setRestored] = useState(draft.isTyped)
  const changed = useChangedSentence(kind, conflict ?? record, conflict !== undefined)
  const fields = editableFields(kind.fields, 'patch')
  const contested = fields.filter(({ name }) => name in texts).filter((field) => isContested(field, draft, conflict))

  const form = useRef<HTMLFormElement>(null)
  const firstFault = fields.find(({ name }) => faults[name])?.name
  useEffect(() => {
    if (firstFault) form.current?.querySelector<HTMLElement>(`[name="${firstFault}"]`)?.focus()
  }, [firstFault])

  const save = (overrule?: OverruleInput) => {
    if (isPending) return
    if (!draft.isTyped) return onEnd()
    if (!conflict) return saving.save({ texts, was, version, overrule })
    const theirs = Object.fromEntries(contested.map((field) => [field.name, valueIn(conflict, field)]))
    saving.save({ texts, was: { ...was, ...theirs }, version: conflict.version, overrule })
  }
  const saveByKeys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    save()
  }
  const takeTheirs = () => {
    draft.drop(contested)
    saving.endConflict()
    form.current?.querySelector<HTMLElement>(`[name="${contested[0]?.name}"]`)?.focus()
  }
  const startOver = () => {
    draft.discard()
    setRestored(false)
  }
  return (
    <form
      ref={form}
      className={classes.form}
      noValidate
      aria-label={`All fields of ${record.name}`}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {isRestored && draft.isTyped && <DraftRestoredHint startOver={startOver} />}
      {conflict && (
        <Conflict kind={kind} changed={changed} theirs={conflict} fields={contested} onTakeTheirs={takeTheirs} />
      )}
      {fields.map((field, place) => {
        const { name } = field
        const input = {
          name,
          label: contested.includes(field) ? `Your ${field.label}` : capital(labelOf(field)),
          required: isRequired(field),
          value: texts[name] ?? valueIn(record, field),
          error: faults[name],
          autoComplete: 'off',
          disabled: isPending,
          'data-autofocus': place === 0 || undefined,
          ...(field.content === 'address' && { spellCheck: false, autoCapitalize: 'none' }),
        }
        const change = (text: string) => {
          saving.forgetFaults()
          draft.change(field, text)
        }
        return isProse(field) ? (
          <Textarea
            key={name}
            {...input}
            classNames={{ input: 'growing' }}
            onChange={(event) => change(event.currentTarget.value)}
            onKeyDown={saveByKeys}
          />
        ) : (
          <TextInput
            key={name}
            {...input}
            {...(field.rule?.example && { placeholder: field.rule.example })}
            onChange={(event) => change(event.currentTarget.value)}
          />
        )
      })}
      {refusal && (
        <Overrule sentence={refusal} label="Save anyway" isBusy={isPending} onOverrule={(reason) => save({ reason })} />
      )}
      <Group justify="flex-end" gap="xs" className={classes.acts ?? ''}>
        <Button variant="default" disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
        <SubmitButton busy={isPending} label={conflict ? 'Keep mine' : 'Save'} busyLabel="Saving…" />
      </Group>
    </form>
  )
}

/** Whether another fellow has given a typed field another value in the meantime. */
const isContested = (field: Field, { was }: FieldsDraft, theirs: RecordRow | undefined) =>
  theirs !== undefined && valueIn(theirs, field) !== was[field.name]
