import { formatDay } from '#web/lib/dates.ts'
import { ClampedText } from '#web/ui/clamped-text.tsx'
import { Highlight } from './highlight.tsx'
import classes from './original-notes.module.css'

type OriginalNotesProps = {
  record: { name: string; notes: string; createdBy: string | null; createdAt: string }
  search: string
  /** The number of lines that are shown at first. */
  lines?: number
}

/** The record's own notes, with the creator and the date. */
export const OriginalNotes = ({ record, search, lines = 2 }: OriginalNotesProps) => (
  <section className={classes.root}>
    <div className={classes.head}>
      <h3 className={classes.title}>Original Notes</h3>
      <p className={classes.added}>
        Added{' '}
        {record.createdBy !== null && (
          <>
            by <bdi>{record.createdBy}</bdi> ·{' '}
          </>
        )}
        <time dateTime={record.createdAt}>{formatDay(record.createdAt)}</time>
      </p>
    </div>
    <ClampedText lines={lines} subject={`the notes on ${record.name}`}>
      <Highlight text={record.notes} search={search} />
    </ClampedText>
  </section>
)
