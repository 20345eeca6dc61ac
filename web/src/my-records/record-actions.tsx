import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { RecordRow } from '#web/records/record-row.ts'
import { ChangeActs } from '#web/session/change-acts.tsx'
import { focusWhenShown } from '#web/ui/focus.ts'
import classes from './record-actions.module.css'

type RecordActionsProps = {
  record: RecordRow
  /** Whether the card has been a form since it was mounted. */
  hasEdited: boolean
  isBusy: boolean
  onEdit: () => void
  onDelete: () => void
}

/** *Edit* and *Delete*, as icons whose words appear on hover and focus, and are always there on touch screens. */
export const RecordActions = ({ record, hasEdited, isBusy, onEdit, onDelete }: RecordActionsProps) => {
  const { delete: mayDelete, whyNotDelete } = record.can
  const refused = { 'aria-disabled': true, 'data-disabled': true, 'aria-description': whyNotDelete }
  return (
    <ChangeActs>
      <div className={classes.actions}>
        <span className={classes.place} data-tip="Edit">
          <ActionIcon
            // After the form closes, the focus returns here.
            ref={hasEdited ? focusWhenShown : null}
            variant="subtle"
            color="gray"
            className={classes.action ?? ''}
            aria-label={`Edit ${record.name}`}
            disabled={isBusy}
            onClick={onEdit}
          >
            <IconPencil size={18} stroke={1.5} />
            <span className={classes.word}>Edit</span>
          </ActionIcon>
        </span>
        {/* aria-disabled, not disabled, so that the keyboard reaches the button and its description. */}
        <span className={classes.place} data-tip={whyNotDelete ?? 'Delete'} data-refused={!mayDelete || undefined}>
          <ActionIcon
            variant="subtle"
            color="gray"
            className={`${classes.action} ${classes.delete}`}
            aria-label={`Delete ${record.name}`}
            {...(!mayDelete && refused)}
            disabled={isBusy}
            onClick={() => mayDelete && onDelete()}
          >
            <IconTrash size={18} stroke={1.5} />
            <span className={classes.word}>Delete</span>
          </ActionIcon>
        </span>
      </div>
    </ChangeActs>
  )
}
