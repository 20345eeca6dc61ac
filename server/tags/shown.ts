import { sql } from 'drizzle-orm'
import type { RecordTag } from '#contract/tags.ts'
import { records, recordTags, tags } from '#server/db/schema.ts'

/** The tags of a record in the enclosing query, by name; null without one. */
export const shownTags = sql<RecordTag[] | null>`(
  select json_agg(json_build_object('id', ${tags.id}, 'name', ${tags.name}) order by ${tags.key} collate "C")
  from ${recordTags} join ${tags} on ${tags.id} = ${recordTags.tagId}
  where ${recordTags.recordId} = ${records.id} and ${recordTags.isShown}
)`
