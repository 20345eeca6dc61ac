import { useMutation } from '@tanstack/react-query'
import type { KeptOnSurvivor } from '#contract/merge.ts'
import { post } from '#web/lib/http.ts'
import { refetchLists, refetchRecord } from '#web/records/cache/list-cache.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { historyKey, mergesKey } from './api.ts'
import { keptSentence } from './undo-outcome-text.ts'

type Undone = { records: [RecordRow, RecordRow]; keptOnSurvivor: KeptOnSurvivor[] }

/** Undoes a merge by its id, and reports the data kept on the survivor. */
export function useUndoMerge(kind: RecordKind) {
  return useMutation({
    mutationFn: (mergeId: string) => post<Undone>(`/merges/${mergeId}/undo`),
    onSuccess: async ({ records: [survivor, other], keptOnSurvivor }, _mergeId, _nothing, { client }) => {
      toasts.success(`${survivor.name} and ${other.name} are two records again`)
      const kept = keptSentence(keptOnSurvivor, kind.fields)
      if (kept) toasts.info(`Kept on ${survivor.name}: ${kept}`)
      await Promise.all([
        refetchLists(client, kind, () => true),
        refetchRecord(client, kind, survivor.id),
        client.invalidateQueries({ queryKey: historyKey(survivor.id) }),
        client.invalidateQueries({ queryKey: mergesKey(survivor.id) }),
      ])
    },
    meta: { failure: 'Failed to undo the merge' },
  })
}

export const undoConfirmation = {
  title: 'Undo this merge?',
  text: 'The records will be separate again, as before the merge. Later additions and changes stay on this record.',
  confirm: 'Undo merge',
  cancel: 'Cancel',
}
