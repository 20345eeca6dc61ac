import { useInfiniteQuery } from '@tanstack/react-query'
import { listRecords } from '#web/records/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { myRecords, type RecordQuery } from '#web/records/record-query.ts'
import { useOpenEdits } from './use-open-edits.ts'

export type MyRecordsOfKind = ReturnType<typeof useMyRecords>

/** The fellow's records of a kind: the found ones, their number, and those being edited. */
export function useMyRecords(kind: RecordKind, query: RecordQuery, account: string) {
  const all = useInfiniteQuery(listRecords(kind, myRecords))
  const list = useInfiniteQuery(listRecords(kind, query))
  const edits = useOpenEdits(kind, account)
  const rows = list.data?.pages.flatMap((page) => page.rows)
  return {
    kind,
    list,
    edits,
    /** Undefined until they are loaded. */
    rows,
    /** Records that are being edited but do not match the search. They stay visible. */
    others: edits.records.filter(({ id }) => !rows?.some((row) => row.id === id)),
    total: all.data?.pages[0]?.total,
    foundTotal: list.data?.pages[0]?.total,
  }
}
