import { WEEK_NAMES_MAX } from '#contract/digest.ts'
import { kindNamed } from '#contract/kinds.ts'
import type { Week, WeekGroup } from '#contract/week.ts'
import { weekNumberWords, weekParts } from '#contract/week-parts.ts'
import { weekAfter, weekOf, weekWords } from '#contract/weeks.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Names, Sources } from '#server/inbox/kind.ts'
import { getWeek } from '#server/week/store.ts'

// The list of a week as lines outside the page.

/** The week that ended before this Monday, with what is late now; undefined where nothing has happened. */
export async function getEndedWeek(
  sources: Sources,
  account: Pick<Account, 'id'>,
  monday: string,
  now: Date,
): Promise<Week | undefined> {
  const week = weekAfter(weekOf(Date.parse(monday)), -1)
  const options = { week, shown: WEEK_NAMES_MAX, now: now.getTime(), hasLate: true }
  const read = await getWeek(sources, sources.kinds, account, options)
  return read.groups.length === 0 ? undefined : read
}

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** The week, with the time of its numbers. */
export const weekHeading = ({ week, at }: Pick<Week, 'week' | 'at'>): string =>
  `${weekWords(week)}, as of ${moment.format(Date.parse(at))} UTC`

/** Its numbers, with the addresses of their records, which open for the account that the week was read for. Without names it has numbers alone. */
export const weekLines = (
  { groups }: Week,
  { names, showsNames }: { names: Names; showsNames: boolean },
): { sentence: string; address: string }[] =>
  groups.map((group) => ({
    sentence: [numberOf(group, names), ...(showsNames ? [recordsOf(group, names)] : [])].join(': '),
    address: `/${kindNamed(group.kind).path}?${new URLSearchParams({ cohort: group.cohort })}`,
  }))

/** *Moved, Met: 3 founders*. */
function numberOf({ part, kind, name, count }: WeekGroup, names: Names): string {
  const { title, of } = weekParts[part]
  const under = name === null ? '' : `, ${of === 'fellow' ? names.fellow(name) : names.word(name)}`
  const { path, name: one } = kindNamed(kind)
  return `${title}${under}: ${count} ${count === 1 ? one : path}`
}

/** *Ada (3 days late), Bob and 1 more*. */
function recordsOf({ part, kind, count, records }: WeekGroup, names: Names): string {
  const numbers = ({ number }: WeekGroup['records'][number]) =>
    number === null ? '' : ` (${weekNumberWords(part, number)})`
  const shown = records.map((record) => names.record(record.name, kind) + numbers(record))
  const cut = count - records.length
  return `${shown.join(', ')}${cut > 0 ? ` and ${cut} more` : ''}`
}
