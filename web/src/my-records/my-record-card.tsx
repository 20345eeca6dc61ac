import { Suspense, useState } from 'react'
import type { User } from '#contract/auth.ts'
import { NotesPreview } from '#web/notes/notes-preview.tsx'
import { OriginalNotes } from '#web/records/original-notes.tsx'
import type { RecordRow } from '#web/records/record-row.ts'
import type { Refreshing } from '#web/records/use-refresh.ts'
import { toasts } from '#web/ui/toasts.tsx'
import { EditForm, importEditForm } from './lazy-edit-form.ts'
import { RecordActions } from './record-actions.tsx'
import { RecordBadges } from './record-badges.tsx'
import type { RecordKind } from './record-kind.ts'
import { useDelete } from './use-delete.ts'
import type { Edits } from './use-edits.ts'
import { useSave } from './use-save.ts'

type MyRecordCardProps<Row extends RecordRow> = {
  kind: RecordKind<Row>
  record: Row
  edits: Edits<Row>
  isNoted: boolean
  user: User
  search: string
  refreshing: Refreshing
  onDeleted: () => void
}

/** A card of one's own: it becomes a form in place, and goes when its record is deleted. */
export const MyRecordCard = <Row extends RecordRow>({
  kind,
  record,
  edits,
  isNoted,
  user,
  search,
  refreshing,
  onDeleted,
}: MyRecordCardProps<Row>) => {
  const { save, isPending, conflict, forget } = useSave(kind, edits)
  const { askAndDelete, isPending: isDeleting } = useDelete(kind, edits, onDeleted)
  const isEditing = !isPending && edits.records.some(({ id }) => id === record.id)

  const [hasEdited, setEdited] = useState(false)
  const edit = async () => {
    if (isPending) return
    const failure = await importEditForm().then(
      () => undefined,
      () => 'Failed to open the form',
    )
    if (failure) return toasts.error(failure)
    setEdited(true)
    edits.begin(record)
  }
  const leave = () => {
    forget()
    edits.end(record.id)
  }

  const written = (
    <>
      <OriginalNotes record={record} search={search} />
      <NotesPreview record={record} place={kind.notes} />
    </>
  )
  const notes = isEditing ? (
    <Suspense fallback={written}>
      <EditForm
        kind={kind}
        record={record}
        account={user.email}
        conflict={conflict}
        takesFocus={hasEdited}
        onSave={(patch) => save(record, patch)}
        onLeave={leave}
      />
    </Suspense>
  ) : (
    written
  )

  return (
    <kind.Card
      record={record}
      search={search}
      refreshing={refreshing}
      own={{
        badges: <RecordBadges record={record} user={user} isNoted={isNoted} />,
        notes,
        actions: !isEditing && (
          <RecordActions
            record={record}
            hasEdited={hasEdited}
            isBusy={isDeleting}
            onEdit={edit}
            onDelete={() => askAndDelete(record)}
          />
        ),
        isForm: isEditing,
      }}
    />
  )
}
