import { Text } from '@mantine/core'
import { formatDay } from '#web/lib/dates.ts'
import { ClampedText } from '#web/ui/clamped-text.tsx'
import { Highlight } from './highlight.tsx'
import classes from './original-notes.module.css'

type OriginalNotesProps = {
  record: { name: string; notes: string; createdBy: string | null; createdAt: string }
  search: string
}

/** What was written when the record was added, by whom and when. */
export const OriginalNotes = ({ record, search }: OriginalNotesProps) => (
  <section className={classes.root}>
    <h3 className={classes.title}>Original Notes</h3>
    <ClampedText lines={4} subject={`the notes on ${record.name}`}>
      <Highlight text={record.notes} search={search} />
    </ClampedText>
    <Text size="xs" c="dimmed" mt={4}>
      Added{' '}
      {record.createdBy !== null && (
        <>
          by <bdi>{record.createdBy}</bdi> ·{' '}
        </>
      )}
      <time dateTime={record.createdAt}>{formatDay(record.createdAt)}</time>
    </Text>
  </section>
)
