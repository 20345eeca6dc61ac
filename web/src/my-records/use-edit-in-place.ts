import { useState } from 'react'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import type { OpenEdits } from './use-open-edits.ts'
import { useSave } from './use-record-changes.ts'

/** The notes and the rating of a record as a form in place. Its fields are fetched when it opens. */
export function useEditInPlace(kind: RecordKind, record: RecordRow, edits: OpenEdits) {
  const { save, isPending, conflict, reset } = useSave(kind, edits)
  /** Whether it was opened here, so that the focus goes into it and back. */
  const [hasEdited, setEdited] = useState(false)
  const edit = async () => {
    if (isPending) return
    try {
      await kind.loadForm()
    } catch {
      return toasts.error('Failed to open the form')
    }
    setEdited(true)
    edits.begin(record)
  }
  const leave = () => {
    reset()
    edits.end(record.id)
  }
  const isEditing = !isPending && edits.records.some(({ id }) => id === record.id)
  return { isEditing, hasEdited, conflict, edit, leave, save }
}
