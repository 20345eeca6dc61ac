import { z } from 'zod'
import { type KindName, kindNames } from './kinds.ts'
import { listQueryParts } from './record.ts'

// What has been done to records and notes, for programs that keep up with it.

/** What happens to a record as a whole. */
const recordEvents = ['created', 'updated', 'deleted', 'restored', 'merged', 'unmerged', 'erased'] as const
const otherEvents = ['note.created', 'note.deleted', 'stage.changed', 'status.changed'] as const

/**
 * What an action of the audit log is in the feed. `changed`: by the values that it changed, a change of the stage, of the status or
 * of both, else of the record. An action that changed nothing is none.
 */
export type FeedPart = (typeof recordEvents)[number] | 'note.created' | 'note.deleted' | 'changed' | 'none'

const eventNames = [
  ...kindNames.flatMap((kind) => recordEvents.map((event): `${KindName}.${typeof event}` => `${kind}.${event}`)),
  ...otherEvents,
]

/** How far back the feed begins. */
export const FEED_DAYS = 90

export const FeedEvent = z.enum(eventNames)
export type FeedEvent = z.infer<typeof FeedEvent>

export const FeedEntry = z.object({
  id: z.string().meta({ description: 'The same entry has the same id for every reader' }),
  at: z.iso.datetime().meta({ description: 'When it was done. Entries are not in the order of their times' }),
  event: FeedEvent,
  kind: z.enum(kindNames),
  record: z.uuid().meta({ description: 'The record, which may have changed again since, or be gone' }),
  note: z.uuid().optional().meta({ description: 'Of `note.created` and `note.deleted`: the note' }),
})
export type FeedEntry = z.infer<typeof FeedEntry>

export const FeedQuery = z.object({ limit: listQueryParts.limit, cursor: listQueryParts.cursor })

export const Feed = z.object({
  entries: z.array(FeedEntry),
  next: z.string().meta({
    description:
      'The cursor of what comes after these entries. It is the cursor of the request once everything has been read; until then there may be more, also after a page without entries',
  }),
})
export type Feed = z.infer<typeof Feed>
