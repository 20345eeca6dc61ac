import { Suspense } from 'react'
import type { User } from '#contract/auth.ts'
import { UNITED } from '#contract/united.ts'
import { countNotes } from '#web/notes/api.ts'
import type { RecordQuery } from '#web/records/cache/record-query.ts'
import { OriginalNotes } from '#web/records/card/original-notes.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import type { Refreshing } from '#web/records/use-refresh.ts'
import { ListedRecord } from '#web/search/listed-record.tsx'
import { useOwner } from '#web/session/use-current-user.ts'
import { EditForm } from './edit-form.tsx'
import classes from './my-record-card.module.css'
import { RecordActions } from './record-actions.tsx'
import { useEditInPlace } from './use-edit-in-place.ts'
import type { OpenEdits } from './use-open-edits.ts'
import { useDelete } from './use-record-changes.ts'

type MyRecordCardProps = {
  kind: RecordKind
  record: RecordRow
  edits: OpenEdits
  /** Whether the search does not find it, and it is here only because it is being edited. */
  isLeftOut: boolean
  isNoted: boolean
  user: User
  search: string
  query: RecordQuery
  refreshing: Refreshing
  onDeleted: () => void
}

/** A card of My Records. It becomes a form in place, and disappears when its record is deleted. */
export function MyRecordCard({
  kind,
  record,
  edits,
  isLeftOut,
  isNoted,
  user,
  onDeleted,
  ...others
}: MyRecordCardProps) {
  const { isEditing, hasEdited, conflict, edit, leave, save } = useEditInPlace(kind, record, edits)
  const owner = useOwner()
  const { askAndDelete, isPending: isDeleting } = useDelete(kind, edits, record, onDeleted)

  const form = (
    <Suspense fallback={<OriginalNotes record={record} search={others.search} />}>
      <EditForm
        kind={kind}
        record={record}
        account={owner}
        conflict={conflict}
        takesFocus={hasEdited}
        leftOutBy={isLeftOut ? others.search : undefined}
        onSave={(patch) => save(record, patch)}
        onLeave={leave}
      />
    </Suspense>
  )
  const actions = (
    <RecordActions record={record} hasEdited={hasEdited} isBusy={isDeleting} onEdit={edit} onDelete={askAndDelete} />
  )
  return (
    <ListedRecord
      kind={kind}
      record={record}
      {...others}
      slots={{
        badges: <Badges record={record} user={user} isNoted={isNoted} />,
        ...(isEditing ? { isForm: true, notes: form } : { actions }),
      }}
    />
  )
}

/** Badges: why the record is in My Records, and its number of notes. */
const Badges = ({ record, user, isNoted }: Pick<MyRecordCardProps, 'record' | 'user' | 'isNoted'>) => (
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
 * The API does not name the creator's account. The creator may delete a record, but so may a fellow with a note on an
 * imported one without a known account. Of the two, only the creator's record shows the reader's own name or address.
 * A creator may not delete a record that a merge has united with those of others.
 */
const isCreatedBy = (user: User, { can, createdBy }: RecordRow) =>
  (can.delete || can.whyNotDelete === UNITED) &&
  createdBy !== null &&
  (createdBy === user.name || createdBy.toLowerCase() === user.email)
