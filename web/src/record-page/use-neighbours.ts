import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { kindNamed } from '#contract/kinds.ts'
import { type InboxView, type Line, listInbox } from '#web/inbox/api.ts'
import { recordPath } from '#web/paths.ts'
import { listRecords } from '#web/records/api.ts'
import { allRecords } from '#web/records/cache/record-query.ts'
import type { RecordPageState } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { PagesOf } from '#web/records/list/paged-list.tsx'
import { holdKeys } from '#web/ui/keys/waiting-keys.ts'
import { grouped } from '#web/ui/shown-count.ts'

let release = () => {}

/** Called once the record that follows is shown, or something else. */
export const releaseKeys = () => release()

/**
 * The way to the next and the previous record of the list, or line of the inbox, that the page was opened from. Undefined
 * without one, or when the record was not in it.
 */
export function useNeighbours(kind: RecordKind, id: string) {
  const { state }: { state: RecordPageState } = useLocation()
  const query = state?.list
  const list = useInfiniteQuery({ ...listRecords(kind, query ?? allRecords), enabled: query !== undefined })
  const records = useWalk({
    name: query && JSON.stringify(query),
    ...{ list, at: id, isNew: !state?.isWalking },
    openingOf: (record) => ({ to: recordPath(kind, record), state: { ...state, isWalking: true } }),
  })
  const line = state?.line
  const lines = useWalk({
    name: line && `inbox ${line.group} ${line.state}`,
    ...{ list: useLines(line), at: line?.key ?? '', isNew: !state?.isWalking },
    openingOf: ({ key, record }) => ({
      to: recordPath(kindNamed(record.kind), record),
      state: { ...state, ...(line && { line: { ...line, key } }), isWalking: true },
    }),
  })
  // As lists say it, such as `300+`; null where it was not counted.
  if (records) return { ...records, total: totalOf(list.data?.pages[0]?.total ?? null), line: undefined }
  return lines && { ...lines, total: lines.count, line: lines.row && line && { ...lines.row, view: viewOf(line) } }
}

const viewOf = ({ group, state }: InboxView): InboxView => ({ group, state })

const totalOf = (total: string | null) => total?.replace(/\d+/, (digits) => grouped(Number(digits))) ?? null

type RecordLine = Line & { record: NonNullable<Line['record']> }

/** The lines that are about a record, as the inbox has shown them. What is new in it comes once one is there again. */
function useLines(line: NonNullable<RecordPageState>['line']): PagesOf<RecordLine> {
  const list = listInbox(viewOf(line ?? { group: 'you', state: 'open' }))
  const isKnown = useQueryClient().getQueryData(list.queryKey) !== undefined
  return useInfiniteQuery({
    ...list,
    enabled: line !== undefined && !isKnown,
    select: ({ pages, pageParams }) => ({
      pages: pages.map((page) => ({
        ...page,
        rows: page.rows.filter((row): row is RecordLine => row.record !== null),
      })),
      pageParams,
    }),
  })
}

type WalkOptions<Row> = {
  /** Of the list; undefined without one. */
  name: string | undefined
  list: PagesOf<Row>
  /** The id of the row that the page shows. */
  at: string
  isNew: boolean
  openingOf: (row: Row) => { to: string; state: RecordPageState }
}

function useWalk<Row extends { id: string }>({ name, list, at, isNew, openingOf }: WalkOptions<Row>) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [isLoading, setLoading] = useState(false)

  const listed = list.data?.pages.flatMap((page) => page.rows) ?? []
  const rows = name === undefined ? [] : walkThrough(name, listed, at, isNew)
  const place = rows.findIndex(({ id }) => id === at)
  if (name === undefined || place < 0) return undefined

  // Back leads to the list, however many records were read.
  const show = (row: Row | undefined) => {
    if (!row) return
    const { to, state } = openingOf(row)
    releaseKeys()
    // The next key is for the record that follows. Two lines of the inbox may be about the same one.
    if (to !== pathname) release = holdKeys()
    void navigate(to, { replace: true, state })
  }
  const showNextPage = async () => {
    if (isLoading) return
    setLoading(true)
    const releaseHere = holdKeys()
    const { data } = await list.fetchNextPage()
    setLoading(false)
    const all = data?.pages.flatMap((page) => page.rows) ?? []
    show(walkThrough(name, all, at, false)[place + 1])
    releaseHere()
  }
  const [before, row, after] = [rows[place - 1], rows[place], rows[place + 1]]
  return {
    showPrevious: before && (() => show(before)),
    showNext: after ? () => show(after) : list.hasNextPage ? () => void showNextPage() : undefined,
    isLoading,
    place: place + 1,
    row,
    /** Of those that are loaded. */
    count: `${grouped(rows.length)}${list.hasNextPage ? '+' : ''}`,
  }
}

let walk: { name: string; rows: { id: string }[] } = { name: '', rows: [] }

/**
 * The rows of a list in the order in which a person reads them one by one. A record that leaves the list meanwhile, for example by
 * the stage that it was just given, keeps its place. `isNew` begins again with the list as it is.
 */
function walkThrough<Row extends { id: string }>(name: string, listed: Row[], at: string, isNew: boolean): Row[] {
  const goesOn = name === walk.name && walk.rows.some(({ id }) => id === at)
  if (!goesOn || (isNew && listed.some(({ id }) => id === at))) walk = { name, rows: listed }
  else {
    const known = new Set(walk.rows.map(({ id }) => id))
    const added = listed.filter(({ id }) => !known.has(id))
    if (added.length > 0) walk = { name, rows: [...walk.rows, ...added] }
  }
  // The rows of one name are of one list.
  return walk.rows as Row[]
}
