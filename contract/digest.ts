import { z } from 'zod'
import { timeZone, timeZoneName } from './days.ts'

// The mail of what is unread in the inbox.

export const rhythms = ['off', 'daily', 'weekdays'] as const
export type Rhythm = (typeof rhythms)[number]
/** On Mondays the list of the week comes alone. */
export type StoredRhythm = Rhythm | 'mondays'

/** The lines of a mail. The inbox has the rest. */
export const DIGEST_LINES_MAX = 20
/** The records that a number of the Monday list names in a mail. */
export const WEEK_NAMES_MAX = 5
/** What the inbox offers. */
export const DIGEST_HOUR = 8

const HOUR_RULE = 'Hour must be a whole number from 0 to 23'

export const DigestInput = z.object({
  when: z.enum(rhythms, { error: 'When must be off, daily or weekdays' }),
  hour: z.int({ error: HOUR_RULE }).min(0, HOUR_RULE).max(23, HOUR_RULE),
  timeZone: timeZoneName.meta({ description: 'The time zone of the hour: an IANA name' }),
  week: z.boolean({ error: 'Week must be true or false' }).optional().meta({
    description:
      'Whether the mail of a Monday begins with the list of the week, for managers. Where the mail is off, it comes alone',
  }),
})
export type DigestInput = z.infer<typeof DigestInput>

export const DigestQuery = z.object({ timeZone })

export const Digest = DigestInput.extend({
  mail: z
    .enum(['on', 'not_set_up', 'not_proven'])
    .meta({ description: 'Whether mail reaches the caller: it is set up, and the address is confirmed' }),
  isOffered: z
    .boolean()
    .meta({ description: 'Something for the caller has been unread for a day, and nothing was chosen yet' }),
})
export type Digest = z.infer<typeof Digest>
