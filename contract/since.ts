import { z } from 'zod'
import { kindShape } from './kind-shape.ts'
import { type Kind, type KindName, kindNames, kinds } from './kinds.ts'
import { SINCE_COUNT_MAX } from './limits.ts'
import { type SinceKey, seenKeys } from './since-keys.ts'

const Count = z.object({
  count: z.int().meta({ description: `At most ${SINCE_COUNT_MAX}` }),
  hasMore: z.boolean().meta({ description: 'Whether there are more than that' }),
})
const SeenCount = Count.extend({
  cohort: z.string().meta({ description: 'The filter of a list that shows exactly these records' }),
})
export type SinceCount = z.infer<typeof Count>

/** By the kind of the records, for the kinds that it can have. */
const byKind = <Of extends typeof Count>(count: Of) =>
  z.object(Object.fromEntries(kindNames.map((name) => [name, count.optional()])) as Record<KindName, z.ZodOptional<Of>>)

/** The new records of each kind. */
const added = Object.fromEntries(
  kinds.map(({ path }) => [path, byKind(SeenCount).meta({ description: `New ${path}` })]),
) as Record<Kind['path'], ReturnType<typeof byKind<typeof SeenCount>>>

/** What happened since the caller was last here, by others and by hand. */
export const Since = z.object({
  until: z.iso.datetime().meta({ description: 'The end of what was counted, for `seen`' }),
  ...added,
  notesOnMine: byKind(SeenCount).meta({ description: 'My Records with new notes' }),
  givenToMe: byKind(SeenCount).meta({ description: 'Records for which another made the caller responsible' }),
  awaitingOpinion: byKind(Count).meta({
    description: 'Records with opinions, none of the caller: the list with `opinion=missing`',
  }),
} satisfies Record<SinceKey | 'until', z.ZodType>)
export type Since = z.infer<typeof Since>

export const SinceParams = z.object({
  key: z.enum(seenKeys, { error: 'There is no such count' }),
})

/** Everything counted until then was seen: of one kind of record, or of both. */
export const SinceSeen = z.object({
  until: z.iso.datetime({ error: 'Until must be a time, as in the counts' }),
  kind: kindShape.optional(),
})
export type SinceSeen = z.infer<typeof SinceSeen>
