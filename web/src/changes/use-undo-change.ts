import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BulkUndone } from '#contract/bulk.ts'
import type { Change } from '#contract/changes.ts'
import { undoDismissal } from '#web/duplicates/api.ts'
import { useUndoMerge } from '#web/history/use-undo-merge.ts'
import { revertImport } from '#web/import/api.ts'
import { kinds } from '#web/kinds.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { changesKey, restoreDeleted, undoBulk } from './api.ts'

/** The undo of a change. `onUndone` is called once the server has undone it. */
export function useUndoChange({ id, act, what, records }: Change, onUndone: () => void) {
  const client = useQueryClient()
  const kind = kinds.find(({ name }) => name === what) ?? (kinds[0] as RecordKind)
  const merge = useUndoMerge(kind)
  const dismissal = useMutation(undoDismissal(kind))
  const restoring = useMutation(restoreDeleted)
  const bulk = useMutation(undoBulk)
  const importing = useMutation(revertImport({ id }))
  const refetch = { onSettled: () => client.invalidateQueries({ queryKey: changesKey }) }

  const start = async () => {
    const [one, other] = records
    if (act === 'merge') return merge.mutate(id, { ...refetch, onSuccess: onUndone })
    if (act === 'deletion') {
      const onSuccess = () => {
        toasts.success(`${one?.name} is back`)
        onUndone()
      }
      return restoring.mutate(id, { ...refetch, onSuccess })
    }
    if (act === 'bulk') {
      const onSuccess = ({ restored, kept }: BulkUndone) => {
        const inAll = (count: number) => `${count.toLocaleString('en')} record${count === 1 ? '' : 's'}`
        const stays = new Set(kept.map((one) => one.id)).size
        toasts.success(
          `${inAll(restored)} restored${stays > 0 ? `. Of ${inAll(stays)}, what has changed since was kept` : ''}`,
        )
        onUndone()
      }
      return bulk.mutate(id, { ...refetch, onSuccess })
    }
    if (act === 'import') {
      if (await confirm(sure)) importing.mutate(undefined, { ...refetch, onSuccess: onUndone })
      return
    }
    if (!one || !other) return
    const onSuccess = () => {
      toasts.success(`${one.name} and ${other.name} are no longer marked as not the same`)
      onUndone()
    }
    dismissal.mutate([one, other], { ...refetch, onSuccess })
  }
  return { start, isPending: [merge, dismissal, importing, restoring, bulk].some(({ isPending }) => isPending) }
}

const sure = {
  title: 'Revert this import?',
  text: 'This deletes the records that it added and restores those that it updated. Records that were edited since are kept.',
  confirm: 'Revert',
  cancel: 'Cancel',
}
