import { mutationOptions } from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import type { MergeInput } from '#contract/merge.ts'
import { duplicatesKey } from '#web/duplicates/api.ts'
import { ApiError, post } from '#web/lib/http.ts'
import { getRecord } from '#web/records/api.ts'
import { changeInLists, refetchLists, removeFromLists } from '#web/records/list-cache.ts'
import { mayMove } from '#web/records/record-query.ts'
import type { RecordRow } from '#web/records/record-row.ts'

type Merged = { mergeId: string; record: RecordRow }

/** Merges two records. The page shows a conflict; every other failure is a toast. */
export const mergeRecords = (kind: Kind) =>
  mutationOptions({
    mutationFn: ({ input, key }: { input: MergeInput; key: string }) => post<Merged>('/records/merge', input, { key }),
    onSuccess: ({ record }, { input }, _result, { client }) => {
      removeFromLists(client, kind, input.duplicateId)
      changeInLists(client, kind, record.id, record)
      return Promise.all([
        refetchLists(client, kind, mayMove('merged')),
        client.invalidateQueries({ queryKey: duplicatesKey(kind) }),
      ])
    },
    onError: (failure, _input, _result, { client }) => {
      for (const record of conflictOf(failure) ?? []) client.setQueryData(getRecord(kind, record.id).queryKey, record)
    },
  })

/** Both current records, if one of them has changed in the meantime. */
export const conflictOf = (failure: unknown) =>
  failure instanceof ApiError && failure.status === 409
    ? (failure.current as [RecordRow, RecordRow] | undefined)
    : undefined
