import { kinds } from '#web/kinds.ts'
import { paths, searchPath } from '#web/paths.ts'
import type { RecordPageState } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'

/** The screens with links to records, as the navigation names them. */
const names: Record<string, string> = {
  [paths.dashboard]: 'Dashboard',
  [paths.myRecords]: 'My Records',
  [paths.pipeline]: 'Pipeline',
  [paths.duplicates]: 'Duplicates',
  [paths.changes]: 'Recent changes',
  [paths.inbox]: 'Inbox',
  ...Object.fromEntries(kinds.map((kind) => [searchPath(kind), `Search ${kind.plural}`])),
}

/** The screen that the page of a record was opened from, else the search of its kind. `isBack`: it is one step back. */
export function originOf(kind: Pick<RecordKind, 'path' | 'plural'>, state: RecordPageState) {
  const from = state?.from ?? ''
  const name = names[from.split('?')[0] ?? '']
  if (name === undefined) return { to: searchPath(kind), name: `Search ${kind.plural}`, isBack: false }
  return { to: from, name, isBack: true }
}
