import { Button, Group, Text, Textarea } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { ApiError } from '#web/lib/http.ts'
import { RatingInput } from '#web/records/rating-input.tsx'
import type { RecordRow } from '#web/records/record-row.ts'
import { confirm } from '#web/ui/confirm.ts'
import { focusAtEnd } from '#web/ui/focus.ts'
import { Conflict } from './conflict.tsx'
import classes from './edit-form.module.css'
import { keepEdit, readEdit } from './edits.ts'
import type { RecordKind, RecordPatch } from './record-kind.ts'
import { schemas } from './schemas.ts'

type EditFormProps<Row extends RecordRow> = {
  kind: RecordKind<Row>
  record: Row
  account: string
  conflict: Row | undefined
  /** False for a form that was there already when the page was opened. */
  takesFocus: boolean
  onSave: (patch: RecordPatch) => void
  onLeave: () => void
}

/** Notes and rating of a record, in the place where they stand on its card. */
export const EditForm = <Row extends RecordRow>({
  kind,
  record,
  account,
  conflict,
  takesFocus,
  onSave,
  onLeave,
}: EditFormProps<Row>) => {
  const [start] = useState(() => readEdit(account, record.id) ?? record)
  const { data: current = record, error } = useQuery({ ...kind.get(record.id), initialData: record, staleTime: 0 })
  const isGone = error instanceof ApiError && error.status === 404
  const isChanged = current.version !== start.version

  const form = useForm({
    initialValues: { notes: start.notes, rating: start.rating },
    validate: schemaResolver(schemas[kind.noun].patch, { sync: true }),
    onValuesChange: (values) => keepEdit(account, record.id, { ...values, version: start.version }),
  })
  const { notes, rating } = form.values
  const version = conflict?.version ?? start.version

  const leaveOnEscape = async (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    const isTyped = notes !== current.notes || rating !== current.rating
    if (!isTyped || (await confirm(discard))) onLeave()
  }

  return (
    <form
      className={classes.form}
      noValidate
      aria-label={`Edit ${record.name}`}
      onKeyDown={leaveOnEscape}
      onSubmit={form.onSubmit((values) => onSave({ ...values, version }))}
    >
      {conflict && <Conflict theirs={conflict} onTakeTheirs={onLeave} />}
      <Textarea
        ref={takesFocus ? focusAtEnd : null}
        label={conflict ? 'Your notes' : 'Notes'}
        classNames={{ input: `growing ${classes.notes}` }}
        {...form.getInputProps('notes')}
      />
      <RatingInput
        label={conflict ? 'Your rating' : 'Rating'}
        value={rating}
        error={form.errors.rating}
        onChange={(rating) => form.setFieldValue('rating', rating)}
      />
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

const discard = {
  title: 'Discard your changes?',
  text: 'What you typed will be lost.',
  confirm: 'Discard',
  cancel: 'Keep editing',
}
