import { allRecords, type Changes, offeredParameters, useRecordQuery } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'

export type Finding = ReturnType<typeof useFinding>

/** What the search screen of a kind shows, all of it stored in the address. */
export function useFinding(kind: RecordKind) {
  const finding = useRecordQuery(allRecords, kind)
  const nothing: Changes = Object.fromEntries(offeredParameters(kind).map(([name]) => [name, '']))
  return { ...finding, clearFilters: () => finding.change(nothing) }
}
