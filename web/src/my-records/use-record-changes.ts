import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RecordPatch } from '#contract/record.ts'
import { ApiError } from '#web/lib/http.ts'
import { deleteRecord, getRecord, updateRecord } from '#web/records/api.ts'
import { changeInLists, refetchRecord, removeFromLists } from '#web/records/cache/list-cache.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import type { OpenEdits } from './use-open-edits.ts'

type Saving = { record: RecordRow; patch: RecordPatch }

/** Saves an edit. Shows it immediately, and undoes it if the server refuses. `conflict` is another fellow's version. */
export function useSave(kind: RecordKind, edits: OpenEdits) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ record, patch }: Saving) => updateRecord(kind, record.id, patch),
    onMutate: ({ record, patch: { version: _, ...fields } }, { client }) => {
      changeInLists(client, kind, record.id, fields as RecordRow)
      client.setQueryData(
        getRecord(kind, record.id).queryKey,
        (shown) => shown && { ...shown, ...(fields as RecordRow) },
      )
    },
    onSuccess: (saved, _saving, _nothing, { client }) => {
      changeInLists(client, kind, saved.id, saved)
      client.setQueryData(getRecord(kind, saved.id).queryKey, saved)
      edits.end(saved.id)
      toasts.success(`${kind.label} updated successfully`)
    },
    onError: (failure, { record, patch }, _nothing, { client }) => {
      const current = conflictOf(failure)
      const before = current ?? fieldsBefore(record, patch)
      changeInLists(client, kind, record.id, before)
      client.setQueryData(getRecord(kind, record.id).queryKey, (shown) => shown && { ...shown, ...before })
      void client.invalidateQueries({ queryKey: getRecord(kind, record.id).queryKey })
      if (!current) toasts.failure(failure, 'Failed to update')
    },
  })
  return {
    save: (record: RecordRow, patch: RecordPatch) => mutate({ record, patch }),
    isPending,
    conflict: conflictOf(error),
    reset,
  }
}

/** Only the fields of the edit, because live updates may have changed others since. */
const fieldsBefore = (record: RecordRow, { version: _, ...fields }: RecordPatch): Partial<RecordRow> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name in fields))

/** The current record, if another fellow saved first. */
export const conflictOf = (failure: unknown) =>
  failure instanceof ApiError && failure.status === 409 ? (failure.current as RecordRow | undefined) : undefined

/** The specification's question, then what is true. */
export const deletionText = ({ name: kind }: Pick<RecordKind, 'name'>, name: string) =>
  `This permanently deletes the ${kind} “${name}” and all notes on it, for everyone. A manager, or the operator of Sourcebook, can bring it back for 30 days.`

/** Deletes a record, after a confirmation. `onDeleted` is called just before its card disappears. */
export function useDelete(kind: RecordKind, edits: OpenEdits, { id, name }: RecordRow, onDeleted: () => void) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => deleteRecord(kind, id),
    onSuccess: () => {
      removeFromLists(client, kind, id)
      edits.end(id)
      toasts.success(`${kind.label} "${name}" deleted successfully`)
      onDeleted()
    },
    onError: () => refetchRecord(client, kind, id),
    meta: { failure: 'Failed to delete' },
  })
  const askAndDelete = async () => {
    const isSure = await confirm({
      title: `Delete ${name}?`,
      text: deletionText(kind, name),
      confirm: 'Delete',
      cancel: 'Cancel',
    })
    if (isSure) mutate()
  }
  return { askAndDelete, isPending }
}
