import { z } from 'zod'
import { type Kind, type KindName, kindNames, kinds } from './kinds.ts'
import { SINCE_COUNT_MAX } from './limits.ts'
import { type SinceKey, sinceKeys } from './since-keys.ts'

const SinceCount = z.object({
  count: z.int().meta({ description: `At most ${SINCE_COUNT_MAX}` }),
  hasMore: z.boolean().meta({ description: 'Whether there are more than that' }),
  cohort: z.string().meta({ description: 'The filter of a list that shows exactly these records' }),
})
export type SinceCount = z.infer<typeof SinceCount>

/** By the kind of the records, for the kinds that it can have. */
const byKind = z.object(
  Object.fromEntries(kindNames.map((name) => [name, SinceCount.optional()])) as Record<
    KindName,
    z.ZodOptional<typeof SinceCount>
  >,
)

/** The new records of each kind. */
const added = Object.fromEntries(
  kinds.map(({ path }) => [path, byKind.meta({ description: `New ${path}` })]),
) as Record<Kind['path'], typeof byKind>

/** What others have added by hand since the caller was last here. */
export const Since = z.object({
  until: z.iso.datetime().meta({ description: 'The end of what was counted, for `seen`' }),
  ...added,
} satisfies Record<SinceKey | 'until', z.ZodType>)
export type Since = z.infer<typeof Since>

export const SinceParams = z.object({
  key: z.enum(sinceKeys, { error: 'There is no such count' }),
})

/** Everything counted until then was seen. */
export const SinceSeen = z.object({
  until: z.iso.datetime({ error: 'Until must be a time, as in the counts' }),
})
export type SinceSeen = z.infer<typeof SinceSeen>
