import { sql } from 'drizzle-orm'
import { NOTES_PREVIEWED } from '#contract/limits.ts'
import type { Note } from '#contract/note.ts'
import { accounts, notes, records } from '#server/db/schema.ts'
import { isoTime } from '#server/db/sql.ts'
import { mentionsOf } from './mentions.ts'

const fields = sql`
  'id', newest.id,
  'content', newest.content,
  'author', coalesce(nullif(author.name, ''), author.email, newest.author_text),
  'authorEmail', coalesce(author.email, ''),
  'createdAt', ${isoTime(sql`newest.created_at`)}`

/**
 * The newest notes of a record in the enclosing query, as on the wire, limited to those that a card shows; null without
 * one.
 */
export const notesPreview = sql<Note[] | null>`case when ${records.notesCount} > 0 then (
  select json_agg(
    case when newest.has_mentions then json_build_object(${fields}, 'mentions', ${mentionsOf(sql`newest.id`)})
      else json_build_object(${fields}) end
    order by newest.created_at desc, newest.id desc)
  from (
    select id, content, has_mentions, author_id, author_text, created_at from ${notes} where ${notes.recordId} = ${records.id}
    order by created_at desc, id desc limit ${sql.raw(String(NOTES_PREVIEWED))}
  ) newest left join ${accounts} author on author.id = newest.author_id
) end`
