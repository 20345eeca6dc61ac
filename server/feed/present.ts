import { entryOf } from '#contract/audit-actions.ts'
import type { FeedEntry, FeedEvent } from '#contract/feed.ts'
import type { FeedRow } from './store.ts'

/** What a row is in the feed. One that changes the stage and the status is two entries. */
export function presentFeedRow(row: FeedRow): FeedEntry[] {
  const { id, at, kind, record, note } = row
  return eventsOf(row).map((event, place) => ({
    // The second entry of a row has an id of its own.
    ...{ id: place === 0 ? id : `${id}.${place + 1}`, at, event, kind, record },
    ...(event.startsWith('note.') && { note: note as string }),
  }))
}

/** An erasure empties values. What is of an erased record is no entry any more, but its erasure. What changed nothing is no row. */
function eventsOf({ action, kind, note, stage, status, isThere, isErasedLater }: FeedRow): FeedEvent[] {
  const entry = entryOf(action)
  const part = entry !== undefined && 'feed' in entry ? entry.feed : 'none'
  if (isErasedLater || part === undefined || part === 'none') return []
  if (part === 'note.created' || part === 'note.deleted') return note === null ? [] : [part]
  if (part === 'erased') return isThere ? [`${kind}.updated`] : [`${kind}.erased`]
  if (part !== 'changed') return [`${kind}.${part}`]
  if (stage || status)
    return [...(stage ? ['stage.changed' as const] : []), ...(status ? ['status.changed' as const] : [])]
  return [`${kind}.updated`]
}
