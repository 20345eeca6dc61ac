import { useMutation } from '@tanstack/react-query'
import type { Field } from '#contract/fields.ts'
import type { RecordPatch } from '#contract/record.ts'
import { historyKey } from '#web/history/api.ts'
import type { PutBack } from '#web/history/put-back.ts'
import { conflictOf } from '#web/my-records/use-record-changes.ts'
import { getRecord, updateRecord } from '#web/records/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { changeInLists } from '#web/records/list-cache.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'
import { toasts } from '#web/ui/toasts.tsx'
import { correctRecord } from './api.ts'

/** Restores the value that a field had before a change. */
export function usePutBack(kind: RecordKind, record: RecordRow): PutBack {
  const { mutate, isPending } = useMutation({
    mutationFn: ({ field, before }: { field: Field; before: string | number }) => {
      const { version } = record
      if (field.editableBy.includes('put'))
        return updateRecord(kind, record.id, { [field.name]: before, version } as RecordPatch)
      const was = valueIn(record, field)
      return correctRecord(kind, record.id, { field, text: String(before), was, version })
    },
    onSuccess: (saved, { field }, _nothing, { client }) => {
      changeInLists(client, kind, saved.id, saved)
      client.setQueryData(getRecord(kind, saved.id).queryKey, saved)
      void client.invalidateQueries({ queryKey: historyKey(saved.id) })
      toasts.success(`Put back the ${field.label} of ${saved.name}`)
    },
    onError: (failure, _change, _nothing, { client }) => {
      const current = conflictOf(failure)
      if (!current) return toasts.failure(failure, 'Failed to put it back')
      changeInLists(client, kind, record.id, current)
      client.setQueryData(getRecord(kind, record.id).queryKey, current)
      toasts.error(`${current.name} has just been changed by someone else. Check it, then put the value back.`)
    },
  })
  return { record, isBusy: isPending, start: (field, before) => mutate({ field, before }) }
}
