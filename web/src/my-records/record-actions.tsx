import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { RecordRow } from '#web/records/record-row.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import classes from './my-record-card.module.css'

type RecordActionsProps = {
  record: RecordRow
  /** Whether the card has been a form since it was mounted. */
  hasEdited: boolean
  isBusy: boolean
  onEdit: () => void
  onDelete: () => void
}

export const RecordActions = ({ record, hasEdited, isBusy, onEdit, onDelete }: RecordActionsProps) => {
  const { delete: mayDelete, whyNotDelete } = record.can
  const refused = { 'aria-disabled': true, 'data-disabled': true, 'aria-description': whyNotDelete }
  return (
    <div className={classes.actions}>
      <Button
        // After the form closes, the focus returns here.
        ref={hasEdited ? focusWhenShown : null}
        variant="default"
        aria-label={`Edit ${record.name}`}
        leftSection={<IconPencil size={16} stroke={1.5} />}
        disabled={isBusy}
        onClick={onEdit}
      >
        Edit
      </Button>
      {/* aria-disabled, not disabled, so that the keyboard reaches the button and its description. */}
      <span className={classes.delete} data-tip={whyNotDelete}>
        <Button
          variant="default"
          aria-label={`Delete ${record.name}`}
          {...(!mayDelete && refused)}
          className={classes.deleteButton ?? ''}
          leftSection={<IconTrash size={16} stroke={1.5} />}
          disabled={isBusy}
          onClick={() => mayDelete && onDelete()}
        >
          Delete
        </Button>
      </span>
    </div>
  )
}
