import { z } from 'zod'
import { SEARCH_MAX } from './limits.ts'
import { optionalText } from './text.ts'

/** The highest number of fellows that a search returns. */
export const FELLOWS_MAX = 20

export const FellowsQuery = z.object({
  id: z
    .uuid('Id must be the id of a fellow')
    .toLowerCase()
    .optional()
    .meta({ description: 'Only the fellow with this id, who may have left' }),
  search: optionalText('Search', SEARCH_MAX).optional().meta({ description: 'Part of the name or the address' }),
})

/** A fellow, to choose. */
export const Fellow = z.object({
  id: z.uuid().meta({ description: 'Public id of the account' }),
  name: z.string(),
  email: z.string(),
})
export type Fellow = z.infer<typeof Fellow>

/** An access token gets no address. */
export const ListedFellow = Fellow.partial({ email: true })
