import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { fold } from '#contract/fold.ts'
import type { Kind } from '#contract/kinds.ts'
import type { RecordTag, Tag } from '#contract/tags.ts'
import { historyKey } from '#web/history/api.ts'
import { ApiError, get, post, put } from '#web/lib/http.ts'
import { getRecord } from '#web/records/api.ts'
import { changeInLists, refetchLists } from '#web/records/cache/list-cache.ts'
import { mayMove } from '#web/records/cache/record-query.ts'
import type { RecordRow } from '#web/records/record-row.ts'

export const tagsKey = ['tags'] as const

/** All tags, by name. Everyone shares them, and there are few. */
export const listTags = queryOptions({
  queryKey: tagsKey,
  queryFn: ({ signal }) => get<Tag[]>('/tags', { signal }),
})

/** The tag with this name, however it is written. */
export const tagNamed = (tags: readonly Tag[] | undefined, name: string) =>
  tags?.find((tag) => fold(tag.name) === fold(name.trim()))

/** A tag with this name: the one that is here, or a new one. */
export async function ensureTag(client: QueryClient, name: string): Promise<RecordTag> {
  const known = tagNamed(await client.fetchQuery(listTags), name)
  if (known) return known
  try {
    return await post<Tag>('/tags', { name: name.trim() })
  } catch (failure) {
    // Another fellow has just added it.
    const isTaken = failure instanceof ApiError && failure.status === 409
    const added = isTaken ? tagNamed(await client.fetchQuery({ ...listTags, staleTime: 0 }), name) : undefined
    if (!added) throw failure
    return added
  } finally {
    void client.invalidateQueries({ queryKey: tagsKey })
  }
}

type TagChange = { add?: string; remove?: string }

/** Adds a tag by its name, or removes one by its id. */
export const changeTags = (kind: Kind, { id, tags = [] }: RecordRow) =>
  mutationOptions({
    mutationFn: async ({ add, remove }: TagChange, { client }) => {
      const added = add === undefined ? [] : [await ensureTag(client, add)]
      const ids = [...tags.filter((tag) => tag.id !== remove), ...added].map((tag) => tag.id)
      return put<RecordTag[]>(`/records/${id}/tags`, { tags: [...new Set(ids)] })
    },
    onSuccess: (saved, _change, _result, { client }) => {
      client.setQueryData(getRecord(kind, id).queryKey, (record) => record && { ...record, tags: saved })
      changeInLists(client, kind, id, { tags: saved })
      void client.invalidateQueries({ queryKey: historyKey(id) })
      void client.invalidateQueries({ queryKey: tagsKey })
      void refetchLists(client, kind, mayMove('tags'))
    },
    meta: { failure: 'The tags could not be changed' },
  })
