import { Button, Paper } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { EditForm } from '#web/my-records/edit-form.tsx'
import type { OpenEdits } from '#web/my-records/use-open-edits.ts'
import { useSave } from '#web/my-records/use-record-changes.ts'
import { OriginalNotes } from '#web/records/original-notes.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import { toasts } from '#web/ui/toasts.tsx'
import type { PartProps } from './part-props.ts'
import classes from './record-page.module.css'

const LINES = 12

/** The record's own notes. With the rating, they become the form of My Records. */
export function RecordNotes({ kind, record, account, edits }: PartProps & { edits: OpenEdits }) {
  const { save, isPending, conflict, reset } = useSave(kind, edits)
  const isEditing = !isPending && edits.records.some(({ id }) => id === record.id)
  const [hasEdited, setEdited] = useState(false)
  const edit = async () => {
    if (isPending) return
    try {
      await kind.loadForm()
    } catch {
      return toasts.error('Failed to open the form')
    }
    setEdited(true)
    edits.begin(record)
  }
  const leave = () => {
    reset()
    edits.end(record.id)
  }
  const notes = <OriginalNotes record={record} search="" lines={LINES} />
  return (
    <Paper withBorder className={classes.part}>
      {isEditing ? (
        <Suspense fallback={notes}>
          <EditForm
            kind={kind}
            record={record}
            account={account}
            conflict={conflict}
            takesFocus={hasEdited}
            onSave={(patch) => save(record, patch)}
            onLeave={leave}
          />
        </Suspense>
      ) : (
        <>
          {notes}
          {record.can.edit && (
            <Button
              ref={hasEdited ? focusWhenShown : null}
              variant="subtle"
              size="compact-sm"
              className={classes.edit ?? ''}
              leftSection={<IconPencil size={16} stroke={1.5} />}
              onClick={edit}
            >
              Edit notes and rating
            </Button>
          )}
        </>
      )}
    </Paper>
  )
}
