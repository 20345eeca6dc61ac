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
