import { z } from 'zod'
import { SEARCH_MAX } from './limits.ts'
import { optionalText } from './text.ts'

/** The highest number of fellows that a search returns. */
export const FELLOWS_MAX = 20

export const FellowsQuery = z.object({
  search: optionalText('Search', SEARCH_MAX).optional().meta({ description: 'Part of the name or the address' }),
})

/** A fellow, to choose. */
export const Fellow = z.object({
  id: z.uuid().meta({ description: 'Public id of the account' }),
  name: z.string(),
  email: z.string(),
})
export type Fellow = z.infer<typeof Fellow>
