import { kindNamed } from '#contract/kinds.ts'
import type { Week, WeekGroup } from '#contract/week.ts'
import { weekNumberWords, weekParts } from '#contract/week-parts.ts'
import type { Names } from '#server/inbox/kind.ts'

/** The numbers of the list of a week as lines outside the page, with the addresses of their records. Without names it has numbers alone. */
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
