import { Button, Paper } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { Suspense } from 'react'
import { EditForm } from '#web/my-records/edit-form.tsx'
import { useEditInPlace } from '#web/my-records/use-edit-in-place.ts'
import type { OpenEdits } from '#web/my-records/use-open-edits.ts'
import { OriginalNotes } from '#web/records/card/original-notes.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import type { PartProps } from './part-props.ts'
import classes from './record-page.module.css'

const LINES = 12

/** The record's own notes. With the rating, they become the form of My Records. */
export function RecordNotes({ kind, record, account, edits }: PartProps & { edits: OpenEdits }) {
  const { isEditing, hasEdited, conflict, edit, leave, save } = useEditInPlace(kind, record, edits)
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
