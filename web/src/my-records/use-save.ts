import { useMutation } from '@tanstack/react-query'
import { ApiError } from '#web/lib/http.ts'
import { changeInLists } from '#web/records/list-cache.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { toasts } from '#web/ui/toasts.tsx'
import type { RecordKind, RecordPatch } from './record-kind.ts'
import type { Edits } from './use-edits.ts'

type Saving<Row> = { record: Row; patch: RecordPatch }

/** Saving what was edited: shown at once, undone when the server says no; `conflict` is then what somebody else saved. */
export const useSave = <Row extends RecordRow>(kind: RecordKind<Row>, edits: Edits<Row>) => {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ record, patch }: Saving<Row>) => kind.update(record.id, patch),
    onMutate: ({ record, patch: { notes, rating } }, { client }) =>
      changeInLists(client, kind.lists, record.id, { notes, rating }),
    onSuccess: (saved, _saving, _nothing, { client }) => {
      changeInLists(client, kind.lists, saved.id, saved)
      client.setQueryData(kind.get(saved.id).queryKey, saved)
      edits.end(saved.id)
      toasts.success(`${kind.noun} updated successfully`)
    },
    onError: (failure, { record: { id, notes, rating } }, _nothing, { client }) => {
      const current = conflictOf<Row>(failure)
      changeInLists(client, kind.lists, id, current ?? { notes, rating })
      void client.invalidateQueries({ queryKey: kind.get(id).queryKey })
      if (!current) toasts.failure(failure, 'Failed to update')
    },
  })
  return {
    save: (record: Row, patch: RecordPatch) => mutate({ record, patch }),
    isPending,
    conflict: conflictOf<Row>(error),
    forget: reset,
  }
}

/** The record as somebody else saved it meanwhile. */
const conflictOf = <Row extends RecordRow>(failure: unknown) =>
  failure instanceof ApiError && failure.status === 409 ? (failure.current as Row | undefined) : undefined
