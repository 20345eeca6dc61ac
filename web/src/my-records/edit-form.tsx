import { Anchor, Button, Group, Text } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { use, useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'react-router'
import { editableFields, type Field } from '#contract/fields.ts'
import type { RecordPatch } from '#contract/record.ts'
import { lastEditor } from '#web/history/api.ts'
import { ApiError } from '#web/lib/http.ts'
import { useOpenForm } from '#web/offline/open-form.ts'
import { recordPath } from '#web/paths.ts'
import { getRecord } from '#web/records/api.ts'
import { Rating } from '#web/records/card/rating.tsx'
import { editedValues, patchOf } from '#web/records/form/record-form.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'
import { focusAtEnd } from '#web/ui/focus.ts'
import { createCancel } from '#web/ui/keys/cancel-form.ts'
import { ClampedText } from '#web/ui/lists/clamped-text.tsx'
import { editDraft } from './edit-draft.ts'
import classes from './edit-form.module.css'

type EditFormProps = {
  kind: RecordKind
  record: RecordRow
  account: string
  conflict: RecordRow | undefined
  /** False for a form that was already open when the page loaded. */
  takesFocus: boolean
  /** The search that does not find the record, in a list. */
  leftOutBy?: string | undefined
  onSave: (patch: RecordPatch) => void
  onLeave: () => void
}

/** In milliseconds, after a search: no question in the middle of a word. */
const PAUSE = 1000

/** The form that edits a record in place, on its card. */
export function EditForm({ kind, record, account, conflict, takesFocus, leftOutBy, onSave, onLeave }: EditFormProps) {
  useOpenForm()
  const recordForm = use(kind.loadForm())
  const [start] = useState(() => {
    const values = editedValues(recordForm, record)
    return editDraft.read(account, record.id, values) ?? { values, version: record.version }
  })
  const query = { ...getRecord(kind, record.id), initialData: record, staleTime: 0 }
  const { data: current = record, error } = useQuery(query)
  const isGone = error instanceof ApiError && error.status === 404
  const isMerged = current.id !== record.id
  const isChanged = current.version !== start.version

  const form = useForm({
    initialValues: start.values,
    validate: (values) => schemaResolver(recordForm.Patch, { sync: true })(patchOf(values)),
    onValuesChange: (values) => editDraft.keep(account, kind.name, record, { values, version: start.version }),
  })
  const version = conflict?.version ?? start.version
  const changed = useChangedSentence(kind, conflict ?? current, isChanged || conflict !== undefined)

  const isTyped = () => {
    const shown = editedValues(recordForm, current)
    return Object.entries(form.values).some(([name, value]) => value !== shown[name])
  }
  const { cancel, cancelOnEscape } = createCancel({ isTyped, onCancel: onLeave })

  const search = isGone || isMerged || conflict ? undefined : leftOutBy
  const leaveList = useEffectEvent(cancel)
  useEffect(() => {
    if (search === undefined) return
    const pause = setTimeout(leaveList, PAUSE)
    return () => clearTimeout(pause)
  }, [search])

  return (
    <form
      ref={takesFocus ? focusNotes : null}
      className={classes.form}
      noValidate
      aria-label={`Edit ${record.name}`}
      onKeyDown={cancelOnEscape}
      onSubmit={form.onSubmit((values) => onSave({ ...patchOf(values), version }))}
    >
      {conflict && <Conflict kind={kind} changed={changed} theirs={conflict} onTakeTheirs={onLeave} />}
      <div className={classes.fields}>
        <recordForm.Fields form={form} mode={conflict ? 'conflict' : 'edit'} />
      </div>
      <div role="status" className={classes.state}>
        {isGone && (
          <Text size="sm" c="dimmed">
            This record has been deleted. What you typed stays here until you cancel.
          </Text>
        )}
        {isMerged && (
          <Text size="sm" c="dimmed">
            This record was merged. What you typed goes along to{' '}
            <Anchor component={Link} inherit underline="always" to={recordPath(kind, record)}>
              <bdi>{current.name}</bdi>
            </Anchor>
            .
          </Text>
        )}
        {isChanged && !isGone && !isMerged && !conflict && (
          <Text size="sm" c="dimmed">
            {changed}
          </Text>
        )}
      </div>
      <Group justify="flex-end" gap="xs" className={classes.buttons ?? ''}>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={isGone || isMerged}>
          {conflict ? 'Keep mine' : 'Save Changes'}
        </Button>
      </Group>
    </form>
  )
}

// Defined once: a new function on each render would take the focus again.
const focusNotes = (form: HTMLFormElement | null) => focusAtEnd(form?.querySelector('textarea') ?? null)

/** Names the author of the other change. Empty until that is known. */
export const useChangedSentence = (kind: RecordKind, record: RecordRow, isChanged: boolean) => {
  const { data: editor, isPending } = useQuery({
    ...lastEditor({ kind, id: record.id }, record.version),
    enabled: isChanged,
  })
  if (isPending) return ''
  return editor ? `${editor} changed this while you were editing` : `This ${kind.name} changed while you were editing`
}

type ConflictProps = {
  kind: RecordKind
  changed: string
  theirs: RecordRow
  /** The fields that the person is editing. */
  fields?: Field[]
  onTakeTheirs: () => void
}

/** Another fellow's saved version, above the person's own. The person can keep either, and nothing is lost. */
export const Conflict = ({
  kind,
  changed,
  theirs,
  fields = editableFields(kind.fields, 'put'),
  onTakeTheirs,
}: ConflictProps) => (
  <div role="alert" className={classes.conflict}>
    <Text size="sm" fw={600}>
      {changed}
    </Text>
    <Text size="sm" c="dimmed">
      Nothing was saved. This is their version; yours is below.
    </Text>
    <div className={classes.theirs}>
      {fields.map((field) => (
        <Theirs key={field.name} field={field} record={theirs} />
      ))}
    </div>
    <Button variant="default" onClick={onTakeTheirs}>
      Take theirs
    </Button>
  </div>
)

const Theirs = ({ field, record }: { field: Field; record: RecordRow }) => {
  if (field.name === 'rating') return <Rating record={record} />
  return (
    <ClampedText lines={4} subject={`their ${field.label} on ${record.name}`}>
      {field.name !== 'notes' && <b>{field.label}: </b>}
      {valueIn(record, field)}
    </ClampedText>
  )
}
