import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { liveChanges } from '#contract/filters.ts'
import type { Kind } from '#contract/kinds.ts'
import type { LiveEvent } from '#contract/live.ts'
import { changesKey, refetchEverything } from '#web/changes/api.ts'
import { dashboard } from '#web/dashboard/api.ts'
import { navCountsKey } from '#web/data/api.ts'
import { duplicatesKey } from '#web/duplicates/api.ts'
import { fellowsKey } from '#web/fellows/api.ts'
import { figuresKey } from '#web/figures/api.ts'
import { historiesKey, historyKey } from '#web/history/api.ts'
import { inboxKey } from '#web/inbox/api.ts'
import { kinds } from '#web/kinds.ts'
import { refetchLinks, refetchSuggestedLinks } from '#web/links/api.ts'
import { myNotes } from '#web/my-records/api.ts'
import { notesKey } from '#web/notes/api.ts'
import { boardKey, refetchPipelines } from '#web/pipeline/api.ts'
import { peopleKey, sendingKey, uninformedKey } from '#web/programme/keys.ts'
import { getRecord, openRecords, partKey } from '#web/records/api.ts'
import { refetchLists, refetchRecord, removeFromLists, truncateLists } from '#web/records/cache/list-cache.ts'
import { mayMove } from '#web/records/cache/record-query.ts'
import { searchesKey } from '#web/searches/api.ts'
import { since } from '#web/since/api.ts'
import { tagsKey } from '#web/tags/api.ts'

type RecordChange = Extract<LiveEvent, { change: unknown }>

type Change = RecordChange['change']

const OF_RECORDS: Change[] = ['created', 'updated', 'deleted', 'merged']

/** What the page shows of many records, and the changes after which it is fetched again: without `after`, any. */
const ofMany: { after?: Change[]; refetch: (client: QueryClient, changes: RecordChange[]) => unknown }[] = [
  { after: OF_RECORDS, refetch: invalidate(dashboard.queryKey) },
  // Dismissals, undone merges and imports have no event of their own.
  { after: OF_RECORDS, refetch: invalidate(changesKey) },
  { after: OF_RECORDS, refetch: invalidate(uninformedKey) },
  { after: OF_RECORDS, refetch: invalidate(navCountsKey) },
  { after: ['updated', 'deleted', 'merged'], refetch: (client, changes) => refetchLinks(client, idsIn(changes)) },
  { after: OF_RECORDS, refetch: refetchSuggestedLinks },
  { refetch: invalidate(since.queryKey) },
  { refetch: invalidate(figuresKey) },
  // The numbers of watched searches come with the next screen: each may cost the server a look at many records.
  { refetch: (client) => client.invalidateQueries({ queryKey: searchesKey, refetchType: 'none' }) },
  // News come with the next screen. What is for the reader has an event of its own.
  { refetch: (client) => client.invalidateQueries({ queryKey: inboxKey, refetchType: 'none' }) },
  {
    after: [...OF_RECORDS, 'pipeline'],
    refetch: (client, changes) => refetchPipelines(client, idsWith(changes, ['pipeline', 'merged'])),
  },
  { after: ['tags', 'merged'], refetch: invalidate(tagsKey) },
  // Of the filters of the board.
  { after: ['tags', 'notes'], refetch: invalidate(boardKey) },
  // The histories of records that were linked to a deleted one name it.
  { after: ['deleted'], refetch: invalidate(historiesKey) },
  { after: ['notes', 'deleted', 'merged'], refetch: invalidate(myNotes.queryKey) },
]

/** The same for what it shows of one record. */
const ofOne: { after?: Change[]; keyOf: (id: string) => QueryKey }[] = [
  { after: ['notes', 'deleted', 'merged'], keyOf: notesKey },
  ...[historyKey, partKey].map((keyOf) => ({ keyOf })),
]

function invalidate(queryKey: QueryKey) {
  return (client: QueryClient) => client.invalidateQueries({ queryKey })
}

/** Refetches only the data that events of the live stream make stale on the page. */
export const invalidateForEvents = (client: QueryClient, events: LiveEvent[]): Promise<unknown> => {
  if (events.some(({ kind }) => kind === 'everything')) return refetchEverything(client)
  const changes = events.flatMap((event) => ('change' in event ? withOpenRecords(client, event) : []))
  const isAfter = ({ after }: { after?: Change[] }) => changes.some(({ change }) => after?.includes(change) ?? true)
  return Promise.all([
    events.some(({ kind }) => kind === 'people') && invalidatePeople(client),
    events.some(({ kind }) => kind === 'searches') && invalidateSearches(client),
    events.some(({ kind }) => kind === 'inbox') && client.invalidateQueries({ queryKey: inboxKey }),
    events.some(({ kind }) => kind === 'inbox') && invalidateOpenRecords(client),
    ...kinds.map((kind) =>
      invalidateKind(
        client,
        kind,
        changes.filter((change) => change.kind === kind.name),
      ),
    ),
    ...ofMany.filter(isAfter).map(({ refetch }) => refetch(client, changes)),
  ])
}

/** A change of many records names none, so it counts for each record that is on the screen. */
const withOpenRecords = (client: QueryClient, event: RecordChange): RecordChange[] => {
  const kind = kinds.find(({ name }) => name === event.kind)
  if (event.id !== undefined || event.change === 'created' || !kind) return [event]
  const change = event.change === 'deleted' || event.change === 'merged' ? 'updated' : event.change
  return [event, ...openRecords(client, kind).map((id) => ({ kind: event.kind, change, id }))]
}

/** A record that is shown is read until its last answer. What someone asks about it changes nothing else of it. */
const invalidateOpenRecords = (client: QueryClient) =>
  Promise.all(
    kinds.flatMap((kind) =>
      openRecords(client, kind).map((id) => client.invalidateQueries({ queryKey: getRecord(kind, id).queryKey })),
    ),
  )

/** Who waits for approval is in the inboxes of managers. */
const invalidatePeople = (client: QueryClient) =>
  Promise.all(
    [peopleKey, sendingKey, fellowsKey, navCountsKey, inboxKey].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  )

/** Channels name the searches that they send. */
const invalidateSearches = (client: QueryClient) =>
  Promise.all([searchesKey, sendingKey].map((queryKey) => client.invalidateQueries({ queryKey })))

/** The ids of changed records; undefined when one of the changes stands for many records. */
const idsIn = (changes: RecordChange[]) =>
  changes.some(({ id }) => id === undefined)
    ? undefined
    : new Set(changes.flatMap(({ id, mergedId }) => [id ?? [], mergedId ?? []].flat()))

const idsWith = (changes: RecordChange[], after?: Change[]) =>
  changes.flatMap(({ change, id, mergedId }) =>
    (after?.includes(change) ?? true) ? [id ?? [], mergedId ?? []].flat() : [],
  )

const invalidateKind = (client: QueryClient, kind: Kind, changes: RecordChange[]) => {
  const idsOf = (...wanted: RecordChange['change'][]) =>
    new Set(changes.flatMap(({ change, id }) => (id !== undefined && wanted.includes(change) ? id : [])))
  const mergedIds = new Set(changes.flatMap(({ mergedId }) => mergedId ?? []))
  const goneIds = new Set([...idsOf('deleted'), ...mergedIds])
  const changedIds = idsOf(...liveChanges.filter((change) => change !== 'created' && change !== 'deleted'))
  const isUnnamed = changes.some(({ id }) => id === undefined)
  const isAffected = isUnnamed ? () => true : mayMove(...changes.map(({ change }) => change))

  if (isUnnamed) truncateLists(client, kind)
  for (const id of goneIds) removeFromLists(client, kind, id)
  return Promise.all([
    refetchLists(client, kind, isAffected),
    changes.length > 0 && client.invalidateQueries({ queryKey: duplicatesKey(kind) }),
    ...[...changedIds].map((id) => refetchRecord(client, kind, id)),
    ...[...goneIds].map((id) => client.invalidateQueries({ queryKey: getRecord(kind, id).queryKey })),
    ...ofOne.flatMap(({ after, keyOf }) =>
      [...new Set(idsWith(changes, after))].map((id) => client.invalidateQueries({ queryKey: keyOf(id) })),
    ),
  ])
}
