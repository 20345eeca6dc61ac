import { z } from 'zod'

// Days, and whose they are.

const dayRule = (label: string) => `${label} must be a date that exists, as YYYY-MM-DD`

/** PostgreSQL has no year 0. */
export const day = (label: string) =>
  z.iso.date({ error: dayRule(label) }).refine((date) => date >= '0001', { error: dayRule(label) })

export const STEP_DAY_RULE = 'The day of the next step must exist, be from 1970 to 2199, and be written as 2026-03-18'

/** The year 26 is hardly meant, nor is 2260. */
export const isStepDay = (date: string): boolean => date >= '1970' && date < '2200'

const dayOf = (rule: string) => z.iso.date({ error: rule }).refine(isStepDay, { error: rule })

/** The day of a next step. */
export const stepDay = dayOf(STEP_DAY_RULE)

export const LOOK_AGAIN_RULE = 'The day to look again must exist, be from 1970 to 2199, and be written as 2026-03-18'

/** The day on which to look again at a record that was passed. */
export const lookAgainDay = dayOf(LOOK_AGAIN_RULE)

const ZONE_RULE = 'Time zone must be a name that is known, such as Europe/Berlin'

/** Engines take offsets too, such as +02:00. They are no names. */
function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** An IANA name. */
export const timeZoneName = z.string({ error: ZONE_RULE }).refine(isTimeZone, { error: ZONE_RULE })

export const timeZone = timeZoneName
  .optional()
  .meta({ description: 'The time zone of the viewer, whose days these are: an IANA name', default: 'UTC' })
