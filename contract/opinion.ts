import { z } from 'zod'
import { NAMED_MAX, OPINION_COMMENT_MAX } from './limits.ts'
import { rating } from './record.ts'
import { optionalText } from './text.ts'

/** Replaces the caller's opinion. Without a comment it has none. */
export const OpinionInput = z.object({
  rating,
  comment: optionalText('Comment', OPINION_COMMENT_MAX).optional(),
})
export type OpinionInput = z.infer<typeof OpinionInput>

/** The fellows who are asked for their opinion. */
export const AskInput = z.object({
  fellows: z
    .array(z.guid('There is no fellow with this id'), { error: 'Choose the fellows to ask' })
    .min(1, 'Choose the fellows to ask')
    .max(NAMED_MAX, `Choose at most ${NAMED_MAX} fellows`)
    .meta({ description: 'Public ids of their accounts' }),
})
export type AskInput = z.infer<typeof AskInput>

const OwnOpinion = z.object({
  rating: z.int(),
  comment: z.string().meta({ description: 'Empty without a comment' }),
  givenAt: z.iso.datetime(),
  changedAt: z.iso.datetime().nullable(),
  isAfterReading: z.boolean().meta({
    description: 'Whether the fellow could read the opinions of others before giving or changing it',
  }),
})

/** The opinion of another fellow. */
export const Opinion = OwnOpinion.extend({
  fellow: z.object({ id: z.uuid().meta({ description: 'Public id of the account' }), name: z.string() }),
})
export type Opinion = z.infer<typeof Opinion>

const BLIND = 'Null until the caller has given an opinion or a manager has revealed them'

/** The opinions on a record, as far as the caller may read them. */
export const Opinions = z.object({
  count: z.int().meta({ description: 'The number of opinions, with the one of the caller' }),
  mine: OwnOpinion.nullable(),
  others: z
    .array(Opinion)
    .nullable()
    .meta({ description: `${BLIND}. First given first` }),
  median: z.number().nullable().meta({ description: BLIND }),
  spread: z
    .int()
    .nullable()
    .meta({ description: `The highest minus the lowest. ${BLIND}` }),
  revealedAt: z.iso.datetime().nullable().meta({ description: 'When a manager has revealed them to everyone' }),
})
export type Opinions = z.infer<typeof Opinions>
