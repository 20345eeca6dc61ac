import type { User } from '#contract/auth.ts'
import { countNotes } from '#web/notes/count-notes.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import classes from './record-badges.module.css'

type RecordBadgesProps = { record: RecordRow; user: User; isNoted: boolean }

/** Why the record is among one's own, and how much is written on it. */
export const RecordBadges = ({ record, user, isNoted }: RecordBadgesProps) => (
  <ul className={classes.badges} aria-label={`About ${record.name}`}>
    {isCreatedBy(user, record) && (
      <li className={classes.badge} data-strong>
        Created
      </li>
    )}
    {isNoted && <li className={classes.badge}>Noted by you</li>}
    <li className={classes.badge}>{countNotes(record.notesCount)}</li>
  </ul>
)

/**
 * The wire does not name the creator's account. Its owner may delete a record, but so may whoever has noted an imported
 * one of which no account is known; of these two, only the owner's carries the reader's own name or address.
 */
const isCreatedBy = (user: User, { can, createdBy }: RecordRow) =>
  can.delete && createdBy !== null && (createdBy === user.name || createdBy.toLowerCase() === user.email)
