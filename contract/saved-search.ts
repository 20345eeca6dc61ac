import { z } from 'zod'
import { kindShape } from './kind-shape.ts'
import { LOOKED_AT_MAX, SEARCH_ABOUT_MAX, SEARCH_NAME_MAX, SINCE_COUNT_MAX } from './limits.ts'
import { isReadable } from './plain-text.ts'
import { listQueryParts } from './record.ts'
import { SinceSeen } from './since.ts'
import { optionalText, requiredName } from './text.ts'

// A list of one kind under a name, of a fellow or shared by all.

/** Longer than two addresses with every character escaped. */
const QUERY_MAX = 16_000

const QUERY_RULE = 'Query must be the parameters of a list, such as stage=none&sort=rating'
const query = z
  .string({ error: QUERY_RULE })
  .max(QUERY_MAX, QUERY_RULE)
  .refine(isReadable, { error: 'Query contains invalid characters' })
  .meta({
    description:
      'The parameters of the list, with `view=table` for a table. It has no `cohort`, and no `timeZone`: days are those of the reader',
  })

const flag = (label: string) => z.boolean({ error: `${label} must be true or false` })

const parts = {
  name: requiredName('Name', SEARCH_NAME_MAX),
  query,
  about: optionalText('What is sought', SEARCH_ABOUT_MAX).meta({ description: 'What is sought' }),
  isShared: flag('Shared').meta({ description: 'Whether everyone sees it' }),
  isPinned: flag('Pinned').meta({ description: 'Whether it stands before the others' }),
}

export const SavedSearchInput = z.object({
  ...parts,
  kind: kindShape,
  about: parts.about.default(''),
  isShared: parts.isShared.default(false),
  isPinned: parts.isPinned.default(false),
})
export type SavedSearchInput = z.infer<typeof SavedSearchInput>

export const SavedSearchPatch = z.object(parts).partial()
export type SavedSearchPatch = z.infer<typeof SavedSearchPatch>

export const NO_SEARCH = 'There is no search with this id'
const SearchId = z.uuid({ error: NO_SEARCH }).toLowerCase()
export const SavedSearchParams = z.object({ id: SearchId })

export const SavedSearchesQuery = z.object({
  limit: listQueryParts.limit,
  cursor: listQueryParts.cursor,
  timeZone: listQueryParts.timeZone,
})

export const SearchWatch = z.object({ isWatched: flag('Watched') })
export const SearchSeen = SinceSeen.pick({ until: true })

const Count = z.object({
  count: z.int().meta({ description: `At most ${SINCE_COUNT_MAX}` }),
  hasMore: z.boolean().meta({ description: 'Whether there are more than that' }),
})

/** What others have added to a watched search or changed in it since the caller has seen it. */
export const SearchNews = z.object({
  new: Count.meta({ description: 'Records that others have added' }),
  changed: Count.meta({ description: 'Other records that another has acted on last' }),
  isMany: z.boolean().meta({
    description: `Whether more than ${LOOKED_AT_MAX} records of the kind were added or changed. Then nothing is counted`,
  }),
  cohort: z.string().meta({ description: 'The filter of a list that shows, with the query, exactly these records' }),
})
export type SearchNews = z.infer<typeof SearchNews>

export const SavedSearch = z.object({
  id: z.uuid(),
  kind: kindShape,
  ...{ name: z.string(), query: z.string(), about: z.string() },
  ...{ isShared: z.boolean(), isPinned: z.boolean(), isOwn: z.boolean() },
  createdBy: z.string().nullable().meta({ description: 'The name of the fellow who made it' }),
  gone: z.array(z.string()).meta({ description: 'A sentence for each tag, stage or fellow of the query that is gone' }),
  isWatched: z.boolean(),
  news: SearchNews.optional().meta({ description: 'Of a watched one' }),
  can: z.object({ edit: z.boolean() }).meta({ description: 'What the caller may do' }),
})
export type SavedSearch = z.infer<typeof SavedSearch>
