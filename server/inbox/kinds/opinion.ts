import { sql } from 'drizzle-orm'
import { opinionAsks, opinions, records } from '#server/db/schema.ts'
import { recordOf } from '#server/db/sql.ts'
import { type InboxKind, whoDid } from '../kind.ts'
import { inboxSince, isHere } from './sql.ts'

/** Others ask for the opinion of the reader, until there is one. */
export const opinion: InboxKind = {
  name: 'opinion',
  rows: (reader) => sql`
    select ${opinionAsks.recordId} as own, ${records.id} as subject, ${records.id} as record, ${opinionAsks.askedAt} as at,
      ${opinionAsks.askedBy} as by
    from ${opinionAsks} ${recordOf(sql`merged_root(${opinionAsks.recordId})`)}
    where ${opinionAsks.accountId} = ${reader.caller.id} and ${opinionAsks.askedBy} <> ${reader.caller.id}
      and ${opinionAsks.askedAt} > ${inboxSince(reader)} and ${isHere}
      and not exists (
        select from ${opinions} where ${opinions.recordId} = ${records.id} and ${opinions.accountId} = ${reader.caller.id}
      )`,
  words: (lines) => lines.map((line) => ({ sentence: `${whoDid(line)} asks for your opinion on ${line.recordName}` })),
}
