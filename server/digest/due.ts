import type { DigestInput, Rhythm } from '#contract/digest.ts'
import { addDays, startOfHour, today } from '#server/records/days.ts'

const SUNDAY = 0
const SATURDAY = 6

/** Whether a day, as YYYY-MM-DD, has a mail. */
function isDay(when: Rhythm, day: string): boolean {
  const weekday = new Date(day).getUTCDay()
  return when === 'daily' || (when === 'weekdays' && weekday !== SUNDAY && weekday !== SATURDAY)
}

/** The days from which one is due: over a weekend, and where a day is missing at the date line. */
const DAYS_AHEAD = 5

/** When the next mail is due after a time; null for none. */
export function nextDigest({ when, hour, timeZone }: DigestInput, after: Date): Date | null {
  const first = today(timeZone, after.getTime())
  for (let days = 0; days < DAYS_AHEAD; days += 1) {
    const day = addDays(first, days)
    if (!isDay(when, day)) continue
    const at = startOfHour(day, hour, timeZone)
    if (at > after && today(timeZone, at.getTime()) === day) return at
  }
  return null
}

/** The local day, as YYYY-MM-DD, of which a mail is due now. */
export function dueDay({ when, hour, timeZone }: DigestInput, now: Date): string | undefined {
  const day = today(timeZone, now.getTime())
  return isDay(when, day) && startOfHour(day, hour, timeZone) <= now ? day : undefined
}
