import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { assignments, records } from '#server/db/schema.ts'
import { type CohortKind, isIn, type Span, spanParams } from './cohort.ts'

// What others did by hand. A record that was merged away or deleted is in no list.

export const addedSince: CohortKind<Span> = {
  ...{ name: 'added', params: spanParams },
  filter: ({ caller }, ...span) => ({
    condition: sql`not ${records.isImported} and ${records.creatorId} is distinct from ${caller.id}
      and ${isIn(records.createdAt, span)}`,
  }),
}

/** The records of one act for which the caller is responsible. */
export const givenAtOnce: CohortKind<[string]> = {
  ...{ name: 'given-at-once', params: z.tuple([z.guid()]) },
  filter: ({ caller }, act) => ({
    condition: sql`${records.responsibleId} = ${caller.id} and ${records.id} in (
      select merged_root(given.record_id) from ${assignments} given where given.account_id = ${caller.id} and given.act_id = ${act}
    )`,
  }),
}

export const sinceCohorts = [addedSince, givenAtOnce]
