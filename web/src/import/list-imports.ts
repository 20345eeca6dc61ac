import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Import } from '#contract/import.ts'
import { getPage, type Page } from '#web/lib/http.ts'

export const importsKey = ['imports'] as const
export const listsOfImports = [...importsKey, 'list'] as const

/** States in which the server is processing the import. */
export const isBusy = ({ state }: Import) => state === 'reading' || state === 'running' || state === 'reverting'

/** The imports of the signed-in person, or of everyone, newest first. */
export const listImports = (whose: 'mine' | 'all' = 'mine') =>
  infiniteQueryOptions({
    queryKey: [...listsOfImports, whose],
    queryFn: ({ pageParam, signal }) => getPage<Import>(pageParam, { signal }),
    initialPageParam: `/imports?limit=20${whose === 'all' ? '&all=true' : ''}`,
    getNextPageParam: (page: Page<Import>) => page.next,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.pages.some(({ rows }) => rows.some(isBusy)) ? 2_000 : false),
    meta: { failure: 'Failed to fetch the imports' },
  })
