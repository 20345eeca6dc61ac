import { IconArrowMerge } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { kinds } from '#web/kinds.ts'
import { useQueryParam } from '#web/lib/use-query-param.ts'
import { CardSkeletons } from '#web/records/card/card-skeleton.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { PagedList, type PagesOf } from '#web/records/list/paged-list.tsx'
import { CountTabs } from '#web/ui/lists/count-tabs.tsx'
import { focusBeside } from '#web/ui/lists/virtual-list.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { listDuplicates, type Pair } from './api.ts'
import { PairCard } from './pair-card.tsx'

/** Pairs of records that may be one, a tab for each kind. */
export function Duplicates() {
  const [shown, setShown] = useQueryParam('show')
  // biome-ignore lint/correctness/useHookAtTopLevel: the list of kinds never changes, so the hooks keep their order
  const lists = kinds.map((kind) => ({ kind, list: useInfiniteQuery(listDuplicates(kind)) }))
  const chosen = lists.find(({ kind }) => kind.path === shown) ?? lists[0]
  if (!chosen) return null
  return (
    <CountTabs
      label="Which records"
      value={chosen.kind.path}
      onChange={setShown}
      tabs={lists.map(({ kind: { path, plural }, list }) => ({ value: path, label: plural, count: countOf(list) }))}
    >
      <PairList {...chosen} nothing={<Nothing kind={chosen.kind} />} />
    </CountTabs>
  )
}

const countOf = ({ data, hasNextPage }: PagesOf<Pair>) =>
  data && `${data.pages.flatMap(({ rows }) => rows).length.toLocaleString('en')}${hasNextPage ? '+' : ''}`

const Nothing = ({ kind }: { kind: RecordKind }) => (
  <EmptyState
    icon={<IconArrowMerge size={28} stroke={1.5} />}
    title={`No duplicate ${kind.path}`}
    text={`Pairs of ${kind.path} that may be the same appear here.`}
  />
)

type PairListProps = { kind: RecordKind; list: PagesOf<Pair>; nothing: ReactNode }

/** The pairs of a kind. */
function PairList({ kind, list, nothing }: PairListProps) {
  const place = useRef<HTMLUListElement>(null)
  return (
    <PagedList
      list={list}
      name={`duplicate ${kind.path}`}
      label={`Duplicate ${kind.path}`}
      ref={place}
      failed={`The duplicate ${kind.path} could not be loaded`}
      skeletons={<CardSkeletons label={`Loading duplicate ${kind.path}`} isSquare={kind.isSquare} />}
      nothing={nothing}
    >
      {(pair) => <PairCard kind={kind} pair={pair} onGone={() => focusBeside(place.current, pair.id)} />}
    </PagedList>
  )
}
