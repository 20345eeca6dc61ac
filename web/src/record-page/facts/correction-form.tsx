import { Button, Group, Textarea, TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { type Field, isProse } from '#contract/fields.ts'
import { capital } from '#contract/plain-text.ts'
import { LinkHint } from '#web/filled/link-hint.tsx'
import { useTouched } from '#web/filled/use-touched.ts'
import { Conflict, useChangedSentence } from '#web/my-records/edit-form.tsx'
import { Overrule } from '#web/records/form/overrule.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import classes from './editable-field.module.css'
import { labelOf } from './fields.ts'
import type { useCorrection } from './use-correction.ts'

type CorrectionFormProps = {
  kind: RecordKind
  record: RecordRow
  field: Field
  correction: ReturnType<typeof useCorrection>
  /** False for a form that was already open when the page loaded. */
  takesFocus: boolean
}

/** The form that replaces the value of one field. Enter saves, Escape cancels. */
export function CorrectionForm({ kind, record, field, correction, takesFocus }: CorrectionFormProps) {
  const { draft, isOfLink, takeLinked, conflict, isPending, fault, refusal, change, save, saveAnyway, end } = correction
  const { touching, maySend } = useTouched(isOfLink)
  const changed = useChangedSentence(kind, conflict ?? record, conflict !== undefined)
  const isLong = isProse(field)
  const label = labelOf(field)
  const { cancel, cancelOnEscape } = createCancel({
    isTyped: () => draft !== undefined && draft.text !== draft.was && maySend,
    isBusy: isPending,
    onCancel: end,
  })
  const saveByKeys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (maySend) save()
  }
  const input = {
    ref: takesFocus ? focusWhenShown : null,
    label: conflict ? `Your ${field.label}` : capital(label),
    value: draft?.text ?? '',
    error: fault,
    autoComplete: 'off',
    disabled: isPending,
  }
  return (
    <form
      className={classes.form}
      noValidate
      aria-label={`Edit the ${field.label} of ${record.name}`}
      {...touching}
      onKeyDown={cancelOnEscape}
      onSubmit={(event) => {
        event.preventDefault()
        if (maySend) save()
      }}
    >
      {isOfLink && <LinkHint act="Start over" onAct={end} />}
      {takeLinked && <LinkHint text="The link has another value." act="Use it instead" onAct={takeLinked} />}
      {conflict && <Conflict kind={kind} changed={changed} theirs={conflict} fields={[field]} onTakeTheirs={end} />}
      {isLong ? (
        <Textarea
          {...input}
          classNames={{ input: 'growing' }}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={saveByKeys}
        />
      ) : (
        <TextInput
          {...input}
          {...(field.rule?.example && { placeholder: field.rule.example })}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )}
      {refusal && (
        <Overrule
          sentence={refusal}
          label="Save anyway"
          isBusy={isPending}
          onOverrule={(reason) => saveAnyway({ reason })}
        />
      )}
      <Group gap="xs" justify="flex-end">
        <Button variant="default" size="xs" disabled={isPending} onClick={cancel}>
          Cancel
        </Button>
        <SubmitButton size="xs" busy={isPending} label={conflict ? 'Keep mine' : 'Save'} busyLabel="Saving…" />
      </Group>
    </form>
  )
}
