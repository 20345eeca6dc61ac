import type { QueryClient } from '@tanstack/react-query'
import type { BulkOutcome, BulkUndone } from '#contract/bulk.ts'
import { post } from '#web/lib/http.ts'
import { refetchPipelines } from '#web/pipeline/api.ts'
import type { ReasonChoice } from '#web/pipeline/prompts/prompts.ts'
import { refetchLists, truncateLists } from '#web/records/cache/list-cache.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { ensureTag } from '#web/tags/api.ts'

/** What is set on all chosen records: one of these. A tag is given by its name. */
export type BulkSet =
  | { addTag: string }
  | { stage: string | null }
  | { responsible: string | null }
  | { status: 'passed'; reason: ReasonChoice; lookAgainOn?: string }

export async function changeMany(client: QueryClient, ids: string[], set: BulkSet): Promise<BulkOutcome> {
  const wanted = 'addTag' in set ? { addTag: (await ensureTag(client, set.addTag)).id } : set
  return post<BulkOutcome>('/records/bulk', { ids, set: wanted })
}

export const undoMany = (bulkId: string) => post<BulkUndone>(`/records/bulk/${bulkId}/undo`, {})

/** After an act on many records, all lists of the kind are loaded again from their top. */
export async function refetchMany(client: QueryClient, kind: RecordKind, ids: string[]) {
  truncateLists(client, kind)
  await Promise.all([
    refetchLists(client, kind, () => true),
    refetchPipelines(client, ids),
    client.invalidateQueries({ queryKey: [kind.path, 'one'] }),
    client.invalidateQueries({ queryKey: ['changes'] }),
  ])
}
