import { formatDay, formatShortDay } from '#web/lib/dates.ts'
import { LinkedText } from '#web/records/list/linked-text.tsx'
import type { RecordRow } from '#web/records/record-row.ts'
import { ClampedText } from '#web/ui/lists/clamped-text.tsx'
import classes from './original-notes.module.css'

type OriginalNotesProps = {
  record: Pick<RecordRow, 'name' | 'notes' | 'createdBy' | 'createdAt' | 'notesEditedBy' | 'notesEditedAt'>
  search: string
  /** The number of lines that are shown at first. */
  lines?: number
}

/** The record's own notes, with the creator, the date, and who edited them last if it was someone else. */
export const OriginalNotes = ({ record, search, lines = 2 }: OriginalNotesProps) => {
  const { notesEditedBy: editedBy, notesEditedAt: editedAt } = record
  return (
    <section className={classes.root}>
      <div className={classes.head}>
        <h3 className={classes.title}>Original Notes</h3>
        <p className={classes.added}>
          <span className={classes.part}>
            Added{' '}
            {record.createdBy !== null && (
              <>
                by <bdi>{record.createdBy}</bdi> ·{' '}
              </>
            )}
            <time dateTime={record.createdAt}>{(editedBy ? formatShortDay : formatDay)(record.createdAt)}</time>
            {editedBy && ', '}
          </span>
          {editedBy && (
            <span className={classes.part}>
              edited by <bdi>{editedBy}</bdi>
              {editedAt && (
                <>
                  {' · '}
                  <time dateTime={editedAt}>{formatShortDay(editedAt)}</time>
                </>
              )}
            </span>
          )}
        </p>
      </div>
      <ClampedText lines={lines} subject={`the notes on ${record.name}`}>
        <LinkedText text={record.notes} search={search} />
      </ClampedText>
    </section>
  )
}
