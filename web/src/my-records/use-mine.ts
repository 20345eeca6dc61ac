import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { User } from '#contract/auth.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { myNotes } from './api.ts'
import type { RecordKind } from './record-kind.ts'
import { useEdits } from './use-edits.ts'

export type Mine<Row extends RecordRow> = ReturnType<typeof useMine<Row>>

/** One's own records of a kind: those found, how many, and which of them are being edited. */
export const useMine = <Row extends RecordRow>(kind: RecordKind<Row>, search: string, user: User) => {
  const all = useInfiniteQuery(kind.mine(''))
  const list = useInfiniteQuery(kind.mine(search))
  const notes = useQuery(myNotes).data
  const edits = useEdits<Row>(user.email, kind.noun)

  const found = list.data?.pages.flatMap((page) => page.rows)
  return {
    kind,
    list,
    edits,
    rows: found,
    /** Being edited, but not found: they stay in sight nevertheless. */
    others: edits.records.filter(({ id }) => !found?.some((row) => row.id === id)),
    total: all.data?.pages[0]?.total,
    foundTotal: list.data?.pages[0]?.total,
    notedIds: new Set(notes && kind.notedIds(notes)),
  }
}
