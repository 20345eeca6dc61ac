import { z } from 'zod'

// Days, and whose they are.

const dayRule = (label: string) => `${label} must be a date that exists, as YYYY-MM-DD`

/** PostgreSQL has no year 0. */
export const day = (label: string) =>
  z.iso.date({ error: dayRule(label) }).refine((date) => date >= '0001', { error: dayRule(label) })

const ZONE_RULE = 'Time zone must be a name that is known, such as Europe/Berlin'

/** Engines take offsets too, such as +02:00. They are no names. */
function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

export const timeZone = z
  .string({ error: ZONE_RULE })
  .refine(isTimeZone, { error: ZONE_RULE })
  .optional()
  .meta({ description: 'The time zone of the viewer, whose days these are: an IANA name', default: 'UTC' })
