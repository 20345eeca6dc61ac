import { type ReactNode, useRef } from 'react'
import { CardSkeletons } from '#web/records/card-skeleton.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { PagedList, type PagesOf } from '#web/records/paged-list.tsx'
import { focusBeside } from '#web/ui/virtual-list.tsx'
import type { Pair } from './api.ts'
import { PairCard } from './pair-card.tsx'

type PairListProps = { kind: RecordKind; list: PagesOf<Pair>; nothing: ReactNode }

/** The pairs of a kind. */
export function PairList({ kind, list, nothing }: PairListProps) {
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
