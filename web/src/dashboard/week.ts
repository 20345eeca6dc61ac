import type { Dashboard } from '#contract/dashboard.ts'
import type { Kind } from '#contract/kinds.ts'
import { WEEK_COUNT_MAX } from '#contract/limits.ts'

/** A sentence about the records added in the last seven days. */
export function weekSentence(week: Dashboard['week'], kinds: readonly Kind[]): string {
  const added = kinds.flatMap(({ name, path }) => {
    const count = week[path]
    if (count === 0) return []
    return `${count}${count >= WEEK_COUNT_MAX ? '+' : ''} ${count === 1 ? name : path}`
  })
  if (added.length === 0) return 'Nothing was added in the last 7 days.'
  return `Fellows added ${list.format(added)} in the last 7 days.`
}

const list = new Intl.ListFormat('en')
