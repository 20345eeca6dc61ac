import { Button, Text } from '@mantine/core'
import { RatingStars } from '#web/records/rating-stars.tsx'
import type { RecordRow } from '#web/records/record-row.ts'
import { ClampedText } from '#web/ui/clamped-text.tsx'
import classes from './edit-form.module.css'

/** What somebody else saved while one was typing, above what one has typed: either can be kept, and nothing is lost. */
export const Conflict = ({ theirs, onTakeTheirs }: { theirs: RecordRow; onTakeTheirs: () => void }) => (
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
      <RatingStars rating={theirs.rating} />
    </div>
    <Button variant="default" onClick={onTakeTheirs}>
      Take theirs
    </Button>
  </div>
)
