import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import type { AskInput, OpinionInput, Opinions } from '#contract/opinion.ts'
import { del, get, post, put } from '#web/lib/http.ts'
import { partKey } from '#web/records/api.ts'
import { refetchLists } from '#web/records/cache/list-cache.ts'

/** A record that opinions are on. */
export type Judged = { kind: Kind; id: string }

/** The key of the opinions on one record. */
export const opinionsKey = (id: string) => partKey(id, 'opinions')

/** The opinions on a record, as far as the signed-in person may read them. */
export const getOpinions = (id: string) =>
  queryOptions({
    queryKey: opinionsKey(id),
    queryFn: ({ signal }) => get<Opinions>(`/records/${id}/opinions`, { signal }),
  })

/** Lists of records that wait for an opinion lose or gain this one. */
const show = (client: QueryClient, { kind, id }: Judged, opinions: Opinions) => {
  client.setQueryData(opinionsKey(id), opinions)
  return refetchLists(client, kind, ({ filters }) => filters.opinion !== undefined)
}

export const putOpinion = (judged: Judged) =>
  mutationOptions({
    mutationFn: (input: OpinionInput) => put<Opinions>(`/records/${judged.id}/opinion`, input),
    onSuccess: (opinions, _input, _result, { client }) => show(client, judged, opinions),
    meta: { failure: 'Failed to save your opinion' },
  })

export const deleteOpinion = (judged: Judged) =>
  mutationOptions({
    mutationFn: () => del<void>(`/records/${judged.id}/opinion`),
    onSuccess: (_nothing, _input, _result, { client }) =>
      client.invalidateQueries({ queryKey: opinionsKey(judged.id) }),
    meta: { failure: 'Failed to delete your opinion' },
  })

export const revealOpinions = (judged: Judged) =>
  mutationOptions({
    mutationFn: () => post<Opinions>(`/records/${judged.id}/opinions/reveal`),
    onSuccess: (opinions, _input, _result, { client }) => show(client, judged, opinions),
    meta: { failure: 'Failed to reveal the opinions' },
  })

/** Says nothing of what they have given. */
export const askForOpinions = ({ id }: Judged) =>
  mutationOptions({
    mutationFn: (fellows: string[]) => post<void>(`/records/${id}/opinions/ask`, { fellows } satisfies AskInput),
    meta: { failure: 'Failed to ask for opinions' },
  })
