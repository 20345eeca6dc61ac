import type { DigestInput, StoredRhythm } from '#contract/digest.ts'
import { addDays, startOfHour, today } from '#server/records/days.ts'

const SUNDAY = 0
const MONDAY = 1
const SATURDAY = 6

/** When mails come. */
export type Times = { rhythm: StoredRhythm; hour: number; timeZone: string }

/** What was chosen, as it is stored. */
export const timesOf = ({ when, hour, timeZone, week }: DigestInput): Times =>
  when === 'off' && week ? { rhythm: 'mondays', hour: 7, timeZone: 'UTC' } : { rhythm: when, hour, timeZone }

const weekdayOf = (day: string): number => new Date(day).getUTCDay()

export const isMonday = (day: string): boolean => weekdayOf(day) === MONDAY

/** Whether a day, as YYYY-MM-DD, has a mail. */
function isDay(rhythm: StoredRhythm, day: string): boolean {
  if (rhythm === 'mondays') return isMonday(day)
  return rhythm === 'daily' || (rhythm === 'weekdays' && ![SUNDAY, SATURDAY].includes(weekdayOf(day)))
}

/** The days from which one is due: until the next Monday, and where a day is missing at the date line. */
const DAYS_AHEAD = 9

/** When the next mail is due after a time; null for none. */
export function nextDigest({ rhythm, hour, timeZone }: Times, after: Date): Date | null {
  const first = today(timeZone, after.getTime())
  for (let days = 0; days < DAYS_AHEAD; days += 1) {
    const day = addDays(first, days)
    if (!isDay(rhythm, day)) continue
    const at = startOfHour(day, hour, timeZone)
    if (at > after && today(timeZone, at.getTime()) === day) return at
  }
  return null
}

/** The local day, as YYYY-MM-DD, of which a mail is due now. */
export function dueDay({ rhythm, hour, timeZone }: Times, now: Date): string | undefined {
  const day = today(timeZone, now.getTime())
  return isDay(rhythm, day) && startOfHour(day, hour, timeZone) <= now ? day : undefined
}
