import { z } from 'zod'
import { requiredLine } from './text.ts'

export const TAG_NAME_MAX = 50
/** Everyone shares the tags, so that a list of all of them is short. */
export const TAGS_MAX = 500
/** The number of tags that a fellow has added and that no record has. */
export const UNUSED_TAGS_MAX = 50
/** The number of tags of a record. One that unites two may have more, and gets no further ones. */
export const RECORD_TAGS_MAX = 20

export const TagInput = z.object({ name: requiredLine('Name', TAG_NAME_MAX) })
export type TagInput = z.infer<typeof TagInput>

export const NO_TAG = 'There is no tag with this id'
const TagId = z.uuid({ error: NO_TAG }).toLowerCase()
export const TagParams = z.object({ id: TagId })

/** A tag as records show it. */
export const RecordTag = z.object({ id: z.uuid(), name: z.string() })
export type RecordTag = z.infer<typeof RecordTag>

/** A tag in the list of all tags. */
export const Tag = RecordTag.extend({
  can: z
    .object({ edit: z.boolean().meta({ description: 'Rename and delete it' }) })
    .meta({ description: 'What the caller may do' }),
})
export type Tag = z.infer<typeof Tag>

/** All tags that a record should have. */
export const RecordTagsInput = z.object({
  tags: z
    .array(TagId, { error: 'Tags must be a list of ids' })
    .max(TAGS_MAX, { error: `Tags must be at most ${TAGS_MAX}` })
    .transform((ids) => [...new Set(ids)]),
})
