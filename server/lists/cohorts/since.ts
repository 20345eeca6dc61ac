import { sql } from 'drizzle-orm'
import { assignments, notes, records } from '#server/db/schema.ts'
import { type CohortFilter, type CohortKind, isIn, type Span, spanParams, timeOf } from './cohort.ts'

// What others did by hand in a span of time. A record that was merged away or deleted is in no list.

const since = (name: string, filter: (account: string, span: Span) => CohortFilter): CohortKind<Span> => ({
  ...{ name, params: spanParams },
  filter: ({ caller }, ...span) => filter(caller.id, span),
})

export const addedSince = since('added', (account, span) => ({
  condition: sql`not ${records.isImported} and ${records.creatorId} is distinct from ${account}
    and ${isIn(records.createdAt, span)}`,
}))

/** `lastNoteAt` leaves out most records without a look at their notes. */
export const notedSince = since('noted', (account, span) => ({
  isMine: true,
  condition: sql`${records.lastNoteAt} > ${timeOf(span[0])} and exists (
    select from ${notes} noted where noted.record_id = ${records.id} and noted.import_id is null
      and noted.author_id is distinct from ${account} and ${isIn(sql`noted.created_at`, span)}
  )`,
}))

/** The responsible fellow of a merged record may come from one that was merged into it. */
export const givenSince = since('given', (account, span) => ({
  condition: sql`${records.responsibleId} = ${account} and ${records.id} in (
    select merged_root(given.record_id) from ${assignments} given
    where given.account_id = ${account} and given.assigned_by is distinct from ${account}
      and ${isIn(sql`given.assigned_at`, span)}
  )`,
}))

export const sinceCohorts = [addedSince, notedSince, givenSince]
