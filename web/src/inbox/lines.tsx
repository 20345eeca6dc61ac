import { Skeleton } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { type InfiniteData, type UseInfiniteQueryResult, useMutationState } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { Page } from '#web/lib/http.ts'
import { rowsOf } from '#web/records/cache/merge-first-page.ts'
import { PagedList } from '#web/records/list/paged-list.tsx'
import { useOwner } from '#web/session/use-current-user.ts'
import { useSingleKey } from '#web/ui/keys/use-single-key.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import type { InboxView, Line } from './api.ts'
import { withDays } from './days.ts'
import classes from './inbox.module.css'
import { useTakeBack } from './last-act.ts'
import { LineItem } from './line-item.tsx'
import { type Marking, markingKey, withMark } from './marks.ts'
import { useActs } from './use-acts.ts'

type LinesProps = { view: InboxView; list: UseInfiniteQueryResult<InfiniteData<Page<Line>>> }

/** The lines of a group, by day. Keys are for the line that last had the focus. */
export function Lines({ view, list }: LinesProps) {
  const place = useRef<HTMLUListElement>(null)
  const [currentKey, setCurrent] = useState<string>()
  const acts = useActs(list.data?.pages[0]?.seenUntil)
  const shown = useShown(view, list)
  const lines = shown.data?.pages.flatMap(({ rows }) => rows) ?? []
  const current = lines.find(({ key }) => key === currentKey)

  const show = (line: Line | undefined) => {
    setCurrent(line?.key)
    const item = line && place.current?.querySelector(`[data-id="${CSS.escape(line.key)}"]`)
    const target = item ? item.querySelector('a') : document.querySelector('main')
    target?.focus({ preventScroll: !item })
  }
  const move = (step: 1 | -1) => {
    const at = current ? lines.indexOf(current) : -1
    show(lines[current ? at + step : 0] ?? current)
  }
  /** The next line is current once this one has gone, and this one again once it is back. */
  const leave = (line: Line, act: (line: Line, onTakenBack: () => void) => void) => {
    const at = lines.findIndex(({ key }) => key === line.key)
    show(lines[at + 1] ?? lines[at - 1])
    act(line, () => setCurrent(line.key))
  }
  const done = (line: Line) => leave(line, (...of) => acts.markOne('done', ...of))
  const reopen = (line: Line) => leave(line, (...of) => acts.markOne('reopen', ...of))
  const mute = (line: Line) => (view.group === 'news' ? leave(line, acts.mute) : void acts.mute(line))
  const unread = (line: Line) => acts.markOne('unread', line)

  const isOpen = view.state === 'open'
  useSingleKey('j', lines.length > 0 ? () => move(1) : undefined, 'Next line')
  useSingleKey('k', lines.length > 0 ? () => move(-1) : undefined, 'Previous line')
  const doneByKey = current && isOpen ? () => done(current) : undefined
  useSingleKey('e', doneByKey, 'Done')
  useSingleKey('d', doneByKey)
  useSingleKey('u', current?.isRead ? () => unread(current) : undefined, 'Mark as unread')
  useSingleKey('z', useTakeBack(useOwner()), 'Take back what was done last')
  useSingleKey('m', current?.record ? () => mute(current) : undefined, 'Mute the record')
  return (
    <PagedList
      list={shown}
      name={`inbox ${view.group}`}
      label={view.group === 'you' ? 'For you' : 'News'}
      ref={place}
      failed="Your inbox could not be loaded"
      skeletons={<Skeletons />}
      nothing={<Nothing view={view} />}
    >
      {(line) => (
        <LineItem
          view={view}
          line={line}
          isCurrent={line.key === currentKey}
          onCurrent={() => setCurrent(line.key)}
          onOpen={() => acts.markRead(line)}
          onDone={isOpen ? () => done(line) : undefined}
          onReopen={isOpen ? undefined : () => reopen(line)}
          onUnread={line.isRead ? () => unread(line) : undefined}
          onMute={line.record ? () => mute(line) : undefined}
        />
      )}
    </PagedList>
  )
}

/** The list with what is being marked, and with the headings of days. */
function useShown({ state }: InboxView, list: LinesProps['list']) {
  const pending = useMutationState({
    filters: { mutationKey: markingKey, status: 'pending' },
    select: ({ state }) => state.variables as Marking,
  })
  const { data } = list
  const marked = useMemo(() => {
    if (!data) return
    const rows = rowsOf(data.pages)
    const left = pending.reduce(
      (lines, marking) =>
        'keys' in marking
          ? withMark(lines, { ...marking, state })
          : marking.mark === 'done' && state === 'open'
            ? []
            : lines,
      rows,
    )
    return { ...data, pages: [{ rows: withDays(left), next: null, total: null }] }
  }, [data, pending, state])
  return { ...list, data: marked } as UseInfiniteQueryResult<InfiniteData<Page<Line & { day: string | undefined }>>>
}

const TEXTS = {
  you: {
    title: 'Nothing waits for you',
    text: 'Mentions, records that you are given, requests for your opinion and passed records to look at again appear here.',
  },
  news: { title: 'No news', text: 'What others do on records that you follow appears here.' },
  done: { title: 'Nothing is done', text: 'Lines that you mark as done appear here.' },
}

const Nothing = ({ view: { group, state } }: Pick<LinesProps, 'view'>) => (
  <EmptyState icon={<IconInbox size={28} stroke={1.5} />} {...TEXTS[state === 'done' ? 'done' : group]} />
)

const places = [0, 1, 2, 3]

const Skeletons = () => (
  <div role="status" aria-label="Loading your inbox" aria-busy="true" className="stack-12">
    <div className={classes.day} data-loading>
      <Skeleton height={10} my={5} width={40} />
    </div>
    {places.map((place) => (
      <div key={place} className={classes.item}>
        <Skeleton height={14} my={13} width="min(70%, 420px)" />
      </div>
    ))}
  </div>
)
