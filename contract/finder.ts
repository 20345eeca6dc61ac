import { z } from 'zod'

/** A fellow who has found a record. */
export const Finder = z.object({
  fellow: z.object({
    id: z.uuid().nullable().meta({ description: 'Public id of the account. Null for a name without an account' }),
    name: z.string(),
  }),
  isMe: z.boolean().meta({ description: 'Whether it is the caller' }),
  foundAt: z.iso.datetime(),
  via: z.enum(['add', 'import', 'merge', 'self']),
})
export type Finder = z.infer<typeof Finder>

/** The first finder comes first. */
export const Finders = z.array(Finder)

/** The finders of a record in a list. */
export const FinderSummary = z.object({
  names: z.array(z.string()).max(3).meta({ description: 'The first three, first finder first' }),
  count: z.number().int(),
  mine: z.boolean().meta({ description: 'Whether the caller is one of them' }),
})
export type FinderSummary = z.infer<typeof FinderSummary>
