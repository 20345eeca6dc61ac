import { useInfiniteQuery } from '@tanstack/react-query'
import { listRecords } from '#web/records/api.ts'
import { newestFirst } from '#web/records/cache/newest-first.ts'
import { myRecords, type RecordQuery } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useOpenEdits } from './use-open-edits.ts'

export type MyRecordsOfKind = ReturnType<typeof useMyRecords>

/** The fellow's records of a kind: the found ones, their number, and those being edited. */
export function useMyRecords(kind: RecordKind, query: RecordQuery, account: string) {
  const all = useInfiniteQuery(listRecords(kind, myRecords))
  const list = useInfiniteQuery(listRecords(kind, query))
  const edits = useOpenEdits(kind, account)
  const rows = list.data?.pages.flatMap((page) => page.rows)
  const last = rows?.at(-1)
  const isFurtherOn = (record: RecordRow) => list.hasNextPage && last !== undefined && newestFirst(last, record) < 0
  return {
    kind,
    list,
    edits,
    /** Undefined until they are loaded. */
    rows,
    /** Records that are being edited but do not match the search. They stay visible until they are left. */
    others: edits.records.filter(({ id }) => !rows?.some((row) => row.id === id)),
    /** Whether the search does not find a record. False while that is not known. */
    isLeftOut: (record: RecordRow) =>
      query.search !== '' &&
      rows !== undefined &&
      !list.isPlaceholderData &&
      !rows.some(({ id }) => id === record.id) &&
      !isFurtherOn(record),
    total: all.data?.pages[0]?.total,
    foundTotal: list.data?.pages[0]?.total,
  }
}
