import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { recordPath } from '#web/paths.ts'
import { listRecords } from '#web/records/api.ts'
import { allRecords, type RecordQuery } from '#web/records/cache/record-query.ts'
import type { RecordPageState } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { holdKeys } from '#web/ui/keys/waiting-keys.ts'
import { grouped } from '#web/ui/shown-count.ts'

let release = () => {}

/** Called once the record that follows is shown, or something else. */
export const releaseKeys = () => release()

/**
 * The way to the next and the previous record of the list that the page was opened from. Undefined without that list, or
 * when the record was not in it.
 */
export function useNeighbours(kind: RecordKind, id: string) {
  const { state }: { state: RecordPageState } = useLocation()
  const navigate = useNavigate()
  const query = state?.list
  const list = useInfiniteQuery({ ...listRecords(kind, query ?? allRecords), enabled: query !== undefined })
  const [isLoading, setLoading] = useState(false)

  const listed = list.data?.pages.flatMap((page) => page.rows) ?? []
  const rows = query === undefined ? [] : walkThrough(query, listed, id, !state?.isWalking)
  const place = rows.findIndex((row) => row.id === id)
  if (query === undefined || place < 0) return undefined

  // Back leads to the list, however many records were read.
  const show = (record: RecordRow | undefined) => {
    if (!record) return
    releaseKeys()
    // The next key is for the record that follows.
    release = holdKeys()
    void navigate(recordPath(kind, record), { replace: true, state: { ...state, isWalking: true } })
  }
  const showNextPage = async () => {
    if (isLoading) return
    setLoading(true)
    const releaseHere = holdKeys()
    const { data } = await list.fetchNextPage()
    setLoading(false)
    const all = data?.pages.flatMap((page) => page.rows) ?? []
    show(walkThrough(query, all, id, false)[place + 1])
    releaseHere()
  }
  const [before, after] = [rows[place - 1], rows[place + 1]]
  return {
    showPrevious: before && (() => show(before)),
    showNext: after ? () => show(after) : list.hasNextPage ? () => void showNextPage() : undefined,
    isLoading,
    place: place + 1,
    /** As lists say it, such as `300+`; null where it was not counted. */
    total: totalOf(list.data?.pages[0]?.total ?? null),
  }
}

const totalOf = (total: string | null) => total?.replace(/\d+/, (digits) => grouped(Number(digits))) ?? null

let walk: { key: string; rows: RecordRow[] } = { key: '', rows: [] }

/**
 * The rows of a list in the order in which a person reads them one by one. A record that leaves the list meanwhile, for example by
 * the stage that it was just given, keeps its place. `isNew` begins again with the list as it is.
 */
function walkThrough(query: RecordQuery, listed: RecordRow[], id: string, isNew: boolean): RecordRow[] {
  const key = JSON.stringify(query)
  const goesOn = key === walk.key && walk.rows.some((row) => row.id === id)
  if (!goesOn || (isNew && listed.some((row) => row.id === id))) walk = { key, rows: listed }
  else {
    const known = new Set(walk.rows.map((row) => row.id))
    const added = listed.filter((row) => !known.has(row.id))
    if (added.length > 0) walk = { key, rows: [...walk.rows, ...added] }
  }
  return walk.rows
}
