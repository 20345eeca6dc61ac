import type { QueryClient } from '@tanstack/react-query'
import { put } from '#web/lib/http.ts'
import { putPipeline, refetchPipelineLists, refetchPipelines } from '#web/pipeline/api.ts'
import { refetchRecord } from '#web/records/cache/list-cache.ts'
import type { AfterAdding } from '#web/records/form/link-values.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { listTags, tagNamed } from '#web/tags/api.ts'
import { toasts } from '#web/ui/states/toasts.tsx'

/** Gives a record that was just added its tag, if there is one with this name, and its next step. */
export async function applyAfterAdding(
  client: QueryClient,
  kind: RecordKind,
  { id, pipeline, tags = [] }: Pick<RecordRow, 'id' | 'pipeline' | 'tags'>,
  { tag = '', step, on }: AfterAdding,
): Promise<void> {
  try {
    const known = tag === '' ? undefined : tagNamed(await client.fetchQuery(listTags), tag)
    if (known) await put(`/records/${id}/tags`, { tags: [...new Set([...tags.map((one) => one.id), known.id])] })
    if (step || on) {
      const input = { ...(step && { nextStep: step }), ...(on && { nextOn: on }), version: pipeline?.version ?? 0 }
      await putPipeline(id, input)
    }
  } catch (failure) {
    toasts.failure(failure, 'The tag and the next step could not be added')
  }
  void refetchRecord(client, kind, id)
  void refetchPipelines(client, [id])
  void refetchPipelineLists(client, kind)
}
