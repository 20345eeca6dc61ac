import { useMutation } from '@tanstack/react-query'
import { removeFromLists } from '#web/records/list-cache.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { confirm } from '#web/ui/confirm.ts'
import { toasts } from '#web/ui/toasts.tsx'
import type { RecordKind } from './record-kind.ts'
import type { Edits } from './use-edits.ts'

/** Deleting a record for good, once the person is sure. `onDeleted` is told when its card has gone. */
export const useDelete = <Row extends RecordRow>(kind: RecordKind<Row>, edits: Edits<Row>, onDeleted: () => void) => {
  const { mutate, isPending } = useMutation({
    mutationFn: ({ id }: Row) => kind.delete(id),
    onSuccess: (_answer, { id, name }, _nothing, { client }) => {
      removeFromLists(client, kind.lists, id)
      edits.end(id)
      toasts.success(`${kind.noun} "${name}" deleted successfully`)
      onDeleted()
    },
    onError: (_failure, { id }, _nothing, { client }) => kind.renew(client, id),
    meta: { failure: 'Failed to delete' },
  })
  const askAndDelete = async (record: Row) => {
    const isSure = await confirm({
      title: `Delete ${record.name}?`,
      text: `This permanently deletes the ${kind.noun.toLowerCase()} “${record.name}” and all notes on it, for everyone. It cannot be undone.`,
      confirm: 'Delete',
      cancel: 'Cancel',
    })
    if (isSure) mutate(record)
  }
  return { askAndDelete, isPending }
}
