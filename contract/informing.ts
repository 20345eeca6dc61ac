import { z } from 'zod'
import { NAV_COUNT_MAX } from './limits.ts'
import { listQueryParts } from './record.ts'

// Informing founders of what is held on them (GDPR, article 14).

/** A founder must be informed within this time after the record came. */
export const INFORM_WITHIN_MONTHS = 1

/** How many founders wait to be informed. */
export const UninformedCount = z.object({
  toInform: z.int().meta({ description: `At most ${NAV_COUNT_MAX}` }),
  late: z.int().meta({ description: 'Those of them that are overdue' }),
})
export type UninformedCount = z.infer<typeof UninformedCount>

export const UninformedQuery = z.object({ limit: listQueryParts.limit, cursor: listQueryParts.cursor })

/** A founder who was not informed. Lists of them begin with the one who is due first. */
export const UninformedFounder = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  linkedIn: z.string().meta({ description: 'Empty where none is known' }),
  addedAt: z.iso.datetime(),
  dueAt: z.iso.datetime().meta({ description: `${INFORM_WITHIN_MONTHS} month after the record came` }),
})
export type UninformedFounder = z.infer<typeof UninformedFounder>

/** What to write to a founder. */
export const InformationLetter = z.object({ to: z.string().nullable(), subject: z.string(), text: z.string() })
export type InformationLetter = z.infer<typeof InformationLetter>

export const INFORMED_AT_ONCE_MAX = 500

export const InformedInput = z.object({
  ids: z
    .array(z.uuid({ error: 'Founders must be ids' }), { error: 'Choose founders' })
    .min(1, { error: 'Choose founders' })
    .max(INFORMED_AT_ONCE_MAX, { error: `Choose at most ${INFORMED_AT_ONCE_MAX} founders` }),
  isInformed: z
    .boolean({ error: 'Is informed must be true or false' })
    .meta({ description: 'False takes a mark back' }),
})
export type InformedInput = z.infer<typeof InformedInput>

export const InformedAnswer = z.object({
  ids: z.array(z.uuid()).meta({ description: 'Those whose mark has changed. Unknown ids are skipped' }),
})
export type InformedAnswer = z.infer<typeof InformedAnswer>
