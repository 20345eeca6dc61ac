import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  accounts,
  assignments,
  bulkRows,
  follows,
  inboxSeen,
  mentions,
  notes,
  opinions,
  recordMembers,
  records,
} from '#server/db/schema.ts'
import { isOfAny } from '#server/records/kind.ts'
import type { CohortKind } from './cohort.ts'

// What others have done about the records that a fellow follows. The rows of an act on many are its line in the inbox and, through
// the cohort, the list behind it.

/** The records that something may tie a fellow to. A merged record is at the one that it was merged into. */
const mayBeTied = (fellow: string) => {
  const chosen = sql`(
    select ${follows.recordId} as id from ${follows} where ${follows.accountId} = ${fellow} and not ${follows.isMuted}
    union all
    select ${assignments.recordId} from ${assignments} where ${assignments.accountId} = ${fellow}
  ) chosen`
  return sql`
    select ${recordMembers.recordId} from ${recordMembers} where ${recordMembers.accountId} = ${fellow}
    union all
    select ${opinions.recordId} from ${opinions} where ${opinions.accountId} = ${fellow}
    union all
    select ${notes.recordId} from ${mentions} join ${notes} on ${notes.id} = ${mentions.noteId} where ${mentions.accountId} = ${fellow}
    union all
    select id from ${chosen}
    union all
    select merged_root(merged.id) from ${chosen} join ${records} merged on merged.id = chosen.id where merged.merged_into is not null`
}

export const inboxSinceOf = (fellow: string): SQL =>
  sql`(select ${accounts.inboxSince} from ${accounts} where ${accounts.id} = ${fellow})`

/** Whether another has acted on a followed record last, since the inbox began. When the tie began is not looked at. */
const mayBeNews = (fellow: string) => sql`
  ${isOfAny(records.kind)} and ${records.lastActivityBy} is distinct from ${fellow}
  and ${records.lastActivityAt} > ${inboxSinceOf(fellow)}
  and ${records.id} = any (array(${mayBeTied(fellow)}))
  and ${records.id} not in (
    select merged_root(${follows.recordId}) from ${follows} where ${follows.accountId} = ${fellow} and ${follows.isMuted}
  )`

/** Until when a fellow has seen the news of a record, or is done with it. */
const seenUntil = (fellow: string, record: SQL | AnyColumn) => sql`(
  select greatest(${inboxSeen.seenUntil}, ${inboxSeen.doneUntil}) from ${inboxSeen}
  where ${inboxSeen.accountId} = ${fellow} and ${inboxSeen.kind} = 'followed' and ${inboxSeen.subject} = ${record}
)`

/**
 * Whether a record has nothing new for a fellow but an act on many: what was before is seen, and it is no decision about a record
 * that the fellow judged, which has a line of its own.
 */
const isOfMany = (fellow: string) => sql`
  ${bulkRows.recordId} = ${records.id} and ${bulkRows.activeAt} = ${records.lastActivityAt}
  and (
    ${bulkRows.activeBeforeBy} = ${fellow} or ${bulkRows.activeBefore} <= ${inboxSinceOf(fellow)}
    or ${bulkRows.activeBefore} <= ${seenUntil(fellow, records.id)} or ${bulkRows.activeBefore} <= news_since(${fellow}, ${records.id})
  )
  and not (${bulkRows.isPassed} and exists (
    select from ${opinions} where ${opinions.recordId} = ${records.id} and ${opinions.accountId} = ${fellow}
  ))`

const columns = sql`${records.id} as record, ${records.lastActivityAt} as at, ${records.lastActivityBy} as by`

/**
 * The followed records with news, without those that an act on many has changed last. With `offset 0` each record is one lookup, so
 * that a count can end at the first.
 */
export const changedAlone = (fellow: string): SQL => sql`
  select ${records.id} as own, ${records.id} as subject, ${columns} from ${records}
  where ${mayBeNews(fellow)} and not exists (select from ${bulkRows} where ${isOfMany(fellow)} offset 0)`

/**
 * The followed records that an act on many has changed last, the act as their subject. Since when it is news is asked last, and only
 * of what is not seen.
 */
export const changedAmongMany = (fellow: string): SQL => sql`
  select * from (
    select ${records.id} as own, ${bulkRows.bulkId} as subject, ${columns} from ${records} join ${bulkRows} on ${isOfMany(fellow)}
    where ${mayBeNews(fellow)} offset 0
  ) changed
  where changed.at <= ${seenUntil(fellow, sql`changed.own`)} or changed.at > news_since(${fellow}, changed.own)`

/** The followed records that one act on many has changed last. */
export const changedByAct: CohortKind<[string]> = {
  ...{ name: 'changed-by-act', params: z.tuple([z.guid()]) },
  filter: ({ caller }, act) => ({
    condition: sql`${records.id} in (select own from (${changedAmongMany(caller.id)}) item where subject = ${act})`,
  }),
}
