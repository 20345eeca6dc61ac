import { Button, Group, Text } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, use, useState } from 'react'
import type { RecordPatch } from '#contract/record.ts'
import { ApiError } from '#web/lib/http.ts'
import { getRecord } from '#web/records/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { Rating } from '#web/records/rating.tsx'
import { editedValues } from '#web/records/record-form.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { ClampedText } from '#web/ui/clamped-text.tsx'
import { confirm, discardQuestion } from '#web/ui/confirm.ts'
import { focusAtEnd } from '#web/ui/focus.ts'
import { editDraft } from './edit-draft.ts'
import classes from './edit-form.module.css'

type EditFormProps = {
  kind: RecordKind
  record: RecordRow
  account: string
  conflict: RecordRow | undefined
  /** False for a form that was there already when the page was opened. */
  takesFocus: boolean
  onSave: (patch: RecordPatch) => void
  onLeave: () => void
}

/** What may be edited of a record, in the place where it stands on its card. */
export function EditForm({ kind, record, account, conflict, takesFocus, onSave, onLeave }: EditFormProps) {
  const recordForm = use(kind.loadForm())
  const [start] = useState(() => {
    const values = editedValues(recordForm, record)
    return editDraft.read(account, record.id, values) ?? { values, version: record.version }
  })
  const query = { ...getRecord(kind, record.id), initialData: record, staleTime: 0 }
  const { data: current = record, error } = useQuery(query)
  const isGone = error instanceof ApiError && error.status === 404
  const isChanged = current.version !== start.version

  const form = useForm({
    initialValues: start.values,
    validate: schemaResolver(recordForm.Patch, { sync: true }),
    onValuesChange: (values) => editDraft.keep(account, record.id, { values, version: start.version }),
  })
  const version = conflict?.version ?? start.version

  const leaveOnEscape = async (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    const shown = editedValues(recordForm, current)
    const isTyped = Object.entries(form.values).some(([name, value]) => value !== shown[name])
    if (!isTyped || (await confirm(discardQuestion('Discard your changes?')))) onLeave()
  }

  return (
    <form
      ref={takesFocus ? focusNotes : null}
      className={classes.form}
      noValidate
      aria-label={`Edit ${record.name}`}
      onKeyDown={leaveOnEscape}
      onSubmit={form.onSubmit((values) => onSave({ ...values, version }))}
    >
      {conflict && <Conflict theirs={conflict} onTakeTheirs={onLeave} />}
      <recordForm.Fields form={form} mode={conflict ? 'conflict' : 'edit'} />
      <div role="status">
        {isGone && (
          <Text size="sm" c="dimmed">
            This record was deleted meanwhile. What you typed stays here until you cancel.
          </Text>
        )}
        {isChanged && !isGone && !conflict && (
          <Text size="sm" c="dimmed">
            Changed by someone else meanwhile
          </Text>
        )}
      </div>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onLeave}>
          Cancel
        </Button>
        <Button type="submit" disabled={isGone}>
          {conflict ? 'Keep mine' : 'Save Changes'}
        </Button>
      </Group>
    </form>
  )
}

// A function that stays the same one, or it would take the focus again.
const focusNotes = (form: HTMLFormElement | null) => focusAtEnd(form?.querySelector('textarea') ?? null)

/** What was saved by the other one meanwhile, above what one has typed: either can be kept, and nothing is lost. */
const Conflict = ({ theirs, onTakeTheirs }: { theirs: RecordRow; onTakeTheirs: () => void }) => (
  <div role="alert" className={classes.conflict}>
    <Text size="sm" fw={600}>
      Changed by someone else meanwhile
    </Text>
    <Text size="sm" c="dimmed">
      Nothing was saved. This is their version; yours is below.
    </Text>
    <div className={classes.theirs}>
      <ClampedText lines={4} subject={`their notes on ${theirs.name}`}>
        {theirs.notes}
      </ClampedText>
      <Rating rating={theirs.rating} />
    </div>
    <Button variant="default" onClick={onTakeTheirs}>
      Take theirs
    </Button>
  </div>
)
