import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { Founder, FounderCreated, FounderInput, FounderPatch, FounderRefresh } from '#contract/founder.ts'
import type { HistoryPlace } from '#web/history/api.ts'
import { del, post, put } from '#web/lib/http.ts'
import type { NotesPlace } from '#web/notes/api.ts'
import { refetchRecord } from '#web/records/list-cache.ts'
import { listQuery, MINE_FAILURE } from '#web/records/list-query.ts'
import { duplicateQuery, recordQuery } from '#web/records/record-query.ts'
import { founderFields } from './founder-fields.ts'

// All that the page says to the server about founders.

export const founderKey = ['founders'] as const
export const founderLists = ['founders', 'list'] as const

export const founderList = (search: string) =>
  listQuery<Founder>({ key: founderLists, path: '/founders', search, failure: 'Failed to fetch founders' })

export const founderNotes: NotesPlace = { path: '/notes/founder', lists: founderLists }

export const founderHistory: HistoryPlace = { path: '/founders', labels: founderFields }

export const myFounders = (search: string) =>
  listQuery<Founder>({ key: founderLists, path: '/founders', search, isMine: true, failure: MINE_FAILURE })

export const getFounder = (id: string) => recordQuery<Founder>([...founderKey, 'one', id], `/founders/${id}`)

/** Asks for a founder again, where the page shows it. */
export const renewFounder = (client: QueryClient, id: string) => refetchRecord(client, founderLists, getFounder(id), id)

/** The founder that is here already under a LinkedIn profile, in whatever spelling. */
export const knownFounder = (linkedIn: string) => duplicateQuery('/founders', { linkedIn })

export const createFounder = mutationOptions({
  mutationFn: ({ founder, key }: { founder: FounderInput; key: string }) =>
    post<FounderCreated>('/founders', founder, { key }),
  // Dropped, not refetched: the newest are first, so the list begins anew at its top.
  onSuccess: (_created, _input, _result, { client }) => client.removeQueries({ queryKey: founderLists }),
  meta: { failure: 'Failed to add founder' },
})

export const updateFounder = (id: string, patch: FounderPatch) => put<Founder>(`/founders/${id}`, patch)

export const deleteFounder = (id: string) => del(`/founders/${id}`)

export const refreshFounder = (id: string) => post<FounderRefresh>(`/founders/${id}/refresh`)
