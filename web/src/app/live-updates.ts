import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { LiveEvent } from '#contract/live.ts'
import { currentSession } from '#web/auth/api.ts'
import { companyLists, companyNotes, getCompany, renewCompany } from '#web/companies/api.ts'
import { dashboard } from '#web/dashboard/api.ts'
import { founderLists, founderNotes, getFounder, renewFounder } from '#web/founders/api.ts'
import { historyKey } from '#web/history/api.ts'
import { myNotes } from '#web/my-records/api.ts'
import { type NotesPlace, notesKey } from '#web/notes/api.ts'
import { refetchLists, removeFromLists, truncateLists } from '#web/records/list-cache.ts'

type RecordChange = Exclude<LiveEvent, { kind: 'everything' }>

type LiveKind = {
  lists: QueryKey
  notes: NotesPlace
  get: (id: string) => { queryKey: QueryKey }
  renew: (client: QueryClient, id: string) => Promise<void>
}

const kinds: Record<RecordChange['kind'], LiveKind> = {
  founder: { lists: founderLists, notes: founderNotes, get: getFounder, renew: renewFounder },
  company: { lists: companyLists, notes: companyNotes, get: getCompany, renew: renewCompany },
}

/** Asks again for what events of the live stream make stale on the page, and for no more than that. */
export const invalidateForEvents = (client: QueryClient, events: LiveEvent[]): Promise<unknown> => {
  const changes = events.flatMap((event) => (event.kind === 'everything' ? [] : event))
  if (changes.length < events.length) return askForEverything(client)
  const has = (...wanted: RecordChange['change'][]) => changes.some(({ change }) => wanted.includes(change))
  return Promise.all([
    ...(['founder', 'company'] as const).map((kind) =>
      askForKind(
        client,
        kinds[kind],
        changes.filter((change) => change.kind === kind),
      ),
    ),
    has('created', 'updated', 'deleted') && client.invalidateQueries({ queryKey: dashboard.queryKey }),
    has('notes', 'deleted') && client.invalidateQueries({ queryKey: myNotes.queryKey }),
  ])
}

const askForEverything = (client: QueryClient) => {
  for (const { lists } of Object.values(kinds)) truncateLists(client, lists)
  return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== currentSession.queryKey[0] })
}

const askForKind = (client: QueryClient, { lists, notes, get, renew }: LiveKind, changes: RecordChange[]) => {
  const idsOf = (...wanted: RecordChange['change'][]) =>
    new Set(changes.flatMap(({ change, id }) => (id !== undefined && wanted.includes(change) ? id : [])))
  const isUnnamed = changes.some(({ id }) => id === undefined)
  const isCreated = changes.some(({ change }) => change === 'created')
  // A note of one's own, written elsewhere, brings a record into My Records.
  const isNoted = idsOf('notes').size > 0

  if (isUnnamed) truncateLists(client, lists)
  for (const id of idsOf('deleted')) removeFromLists(client, lists, id)
  return Promise.all([
    (isUnnamed || isCreated) && refetchLists(client, lists),
    isNoted && !isUnnamed && !isCreated && refetchLists(client, [...lists, 'mine']),
    ...[...idsOf('updated', 'notes')].map((id) => renew(client, id)),
    ...[...idsOf('deleted')].map((id) => client.invalidateQueries({ queryKey: get(id).queryKey })),
    ...[...idsOf('notes', 'deleted')].map((id) => client.invalidateQueries({ queryKey: notesKey(notes, id) })),
    ...[...idsOf('updated', 'notes', 'deleted')].map((id) => client.invalidateQueries({ queryKey: historyKey(id) })),
  ])
}
