import { sql } from 'drizzle-orm'
import { z } from 'zod'
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
    where given.account_id = ${account} and given.assigned_by is distinct from ${account} and not given.is_imported
      and ${isIn(sql`given.assigned_at`, span)}
  )`,
}))

/** The records of one act for which the caller is responsible. */
export const givenAtOnce: CohortKind<[string]> = {
  ...{ name: 'given-at-once', params: z.tuple([z.guid()]) },
  filter: ({ caller }, act) => ({
    condition: sql`${records.responsibleId} = ${caller.id} and ${records.id} in (
      select merged_root(given.record_id) from ${assignments} given where given.account_id = ${caller.id} and given.act_id = ${act}
    )`,
  }),
}

export const sinceCohorts = [addedSince, notedSince, givenSince, givenAtOnce]
