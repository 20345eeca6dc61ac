import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FEW_FOUND } from '#contract/limits.ts'
import { listFellows } from '#web/fellows/api.ts'
import type { RecordQuery } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { markMatches } from '#web/records/list/mark-matches.ts'
import { listBelow } from './api.ts'

/** A shorter term is part of too many names of fellows. */
const NAME_MIN = 2
const FELLOWS_MAX = 3

export type Below = ReturnType<typeof useBelow>

/** What else a search may have meant. `found` is the number of exact results, undefined before all of them are shown. */
export function useBelow(kind: RecordKind, query: RecordQuery, found: number | undefined) {
  const { search } = query
  const isOpen = search !== '' && found !== undefined
  const hasFew = isOpen && found < FEW_FOUND
  const fellows = useQuery({ ...listFellows(search), enabled: isOpen && [...search].length >= NAME_MIN })
  const similar = useInfiniteQuery({ ...listBelow(kind, query, 'similar'), enabled: hasFew })
  const mentions = useInfiniteQuery({ ...listBelow(kind, query, 'mentions'), enabled: isOpen })
  const named = isOpen
    ? (fellows.data ?? []).filter(({ name }) => markMatches(name, search).some(({ isMatch }) => isMatch))
    : []
  const lists = [...(hasFew ? [similar] : []), ...(isOpen ? [mentions] : [])]
  const hasRows = lists.some(({ data }) => data?.pages.some(({ rows }) => rows.length > 0))
  const isLoading = [fellows, similar, mentions].some((one) => one.isLoading)
  return {
    ...{ fellows, similar, mentions, isLoading, hasFew },
    named: named.slice(0, FELLOWS_MAX),
    hasAny: !isLoading && (named.length > 0 || hasRows),
  }
}
