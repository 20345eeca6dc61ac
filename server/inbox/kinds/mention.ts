import { sql } from 'drizzle-orm'
import { mentions, notes, records } from '#server/db/schema.ts'
import { recordOf } from '#server/db/sql.ts'
import { type InboxKind, whoDid } from '../kind.ts'
import { inboxSince, isHere } from './sql.ts'

/** Others have named the reader in a note. */
export const mention: InboxKind = {
  name: 'mention',
  rows: (reader) => sql`
    select ${mentions.recordId} as own, ${records.id} as subject, ${records.id} as record, ${mentions.createdAt} as at,
      ${notes.authorId} as by
    from ${mentions} join ${notes} on ${notes.id} = ${mentions.noteId} ${recordOf(notes.recordId)}
    where ${mentions.accountId} = ${reader.caller.id} and ${notes.authorId} is distinct from ${reader.caller.id}
      and ${mentions.createdAt} > ${inboxSince(reader)} and ${isHere}`,
  words: (lines) =>
    lines.map((line) => ({
      sentence:
        line.count === 1
          ? `${whoDid(line)} mentioned you in a note on ${line.recordName}`
          : `${line.count} notes on ${line.recordName} mention you, the last by ${whoDid(line)}`,
    })),
}
