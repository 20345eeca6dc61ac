import { kindNamed } from '#contract/kinds.ts'
import type { Week } from '#contract/week.ts'
import { weekParts } from '#contract/week-parts.ts'
import { csvFile } from '#server/audit-log/csv.ts'

const HEAD = ['part', 'kind', 'of', 'count', 'record', 'number', 'id']

/** One record a line. What is cut is said with its number. */
export function weekFile({ groups }: Week): string {
  const lines = groups.flatMap(({ part, kind, name, count, records }) => {
    const of = [weekParts[part].title, kindNamed(kind).path, name ?? '', count]
    const cut = count - records.length
    return [
      ...records.map((record) => [...of, record.name, record.number ?? '', record.id]),
      ...(cut > 0 ? [[...of, `and ${cut} more`, '', '']] : []),
    ]
  })
  return csvFile([HEAD, ...lines])
}
