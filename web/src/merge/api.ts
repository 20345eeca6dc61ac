import { keepPreviousData, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import type { MergeInput, MergePreview } from '#contract/merge.ts'
import { duplicatesKey } from '#web/duplicates/api.ts'
import { ApiError, post } from '#web/lib/http.ts'
import { getRecord } from '#web/records/api.ts'
import { changeInLists, refetchLists, removeFromLists } from '#web/records/cache/list-cache.ts'
import { mayMove } from '#web/records/cache/record-query.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import type { Both } from './choices.ts'

/**
 * What a merge of these records would do. While the next preview loads, the last one stays. The key has the records as
 * they were loaded, so that a change of one of them is previewed again.
 */
export const previewMerge = (kind: Kind, both: Both, input: MergeInput) =>
  queryOptions({
    queryKey: [kind.path, 'merge preview', both, input],
    queryFn: async ({ signal, client }) => {
      try {
        return await post<MergePreview<RecordRow>>('/records/merge/preview', input, { signal })
      } catch (failure) {
        updateBoth(client, kind, input, failure)
        throw failure
      }
    },
    placeholderData: keepPreviousData,
  })

/** After a refusal: a record has changed, was deleted, or was merged into another one. */
const updateBoth = (client: QueryClient, kind: Kind, { survivorId, duplicateId }: MergeInput, failure: unknown) => {
  const current = conflictOf(failure)
  for (const record of current ?? []) client.setQueryData(getRecord(kind, record.id).queryKey, record)
  if (current || !(failure instanceof ApiError) || (failure.status !== 404 && failure.status !== 409)) return
  for (const id of [survivorId, duplicateId]) void client.invalidateQueries({ queryKey: getRecord(kind, id).queryKey })
}

type Merged = { mergeId: string; record: RecordRow }

/** Merges two records. The page shows a conflict; every other failure is a toast. */
export const mergeRecords = (kind: Kind) =>
  mutationOptions({
    mutationFn: ({ input, key }: { input: MergeInput; key: string }) => post<Merged>('/records/merge', input, { key }),
    onSuccess: ({ record }, { input }, _result, { client }) => {
      removeFromLists(client, kind, input.duplicateId)
      changeInLists(client, kind, record.id, record)
      client.setQueryData(getRecord(kind, record.id).queryKey, record)
      // Refetched by the next screen: this one still shows both.
      void client.invalidateQueries({ queryKey: getRecord(kind, input.duplicateId).queryKey, refetchType: 'none' })
      return Promise.all([
        refetchLists(client, kind, mayMove('merged')),
        client.invalidateQueries({ queryKey: duplicatesKey(kind) }),
      ])
    },
    onError: (failure, { input }, _result, { client }) => updateBoth(client, kind, input, failure),
  })

/** Both current records, if one of them has changed in the meantime. */
export const conflictOf = (failure: unknown) =>
  failure instanceof ApiError && failure.status === 409
    ? (failure.current as [RecordRow, RecordRow] | undefined)
    : undefined
