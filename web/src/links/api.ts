import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'
import type { LinkedRecord, LinkInput, SuggestedLink } from '#contract/link.ts'
import { historyKey } from '#web/history/api.ts'
import { kinds } from '#web/kinds.ts'
import { del, get, getPage, type Page, put } from '#web/lib/http.ts'
import type { RecordKind } from '#web/records/kind.ts'

type End = { kind: RecordKind; id: string }

/** The kind that records of a kind are linked to. Undefined for a kind without links, whose links are not to be asked for. */
export const linkedKindOf = ({ linkedTo }: Kind): RecordKind | undefined => kinds.find(({ name }) => name === linkedTo)

const LINKS = 'links'
const SUGGESTED = 'suggested-links'
const LINKS_A_PAGE = 50

/** The records that are linked to one, newest link first. Ids are unique over all kinds. */
export const listLinks = ({ kind, id }: End) =>
  infiniteQueryOptions({
    queryKey: [LINKS, id] as const,
    queryFn: ({ pageParam, signal }) => getPage<LinkedRecord>(pageParam, { signal }),
    initialPageParam: `/${kind.path}/${id}/${linkedKindOf(kind)?.path}?limit=${LINKS_A_PAGE}`,
    getNextPageParam: (page: Page<LinkedRecord>) => page.next,
  })

/** The records that may be linked to one, best first. */
export const listSuggestedLinks = ({ kind, id }: End) =>
  queryOptions({
    queryKey: [SUGGESTED, id] as const,
    queryFn: ({ signal }) =>
      get<SuggestedLink[]>(`/${kind.path}/${id}/${linkedKindOf(kind)?.path}/suggested`, { signal }),
  })

/** A change of any record may begin or end a suggestion. Only those on the screen are fetched again. */
export const refetchSuggestedLinks = (client: QueryClient) => client.invalidateQueries({ queryKey: [SUGGESTED] })

/** Refetches the links of these records and all lists of links that show one of them; without ids, all lists. */
export const refetchLinks = (client: QueryClient, ids?: ReadonlySet<string>) =>
  client.invalidateQueries({
    queryKey: [LINKS],
    predicate: ({ queryKey, state }) => {
      if (!ids || ids.has(String(queryKey[1]))) return true
      const pages = (state.data as { pages: Page<LinkedRecord>[] } | undefined)?.pages ?? []
      return pages.some(({ rows }) => rows.some(({ id }) => ids.has(id)))
    },
  })

/** The address of a link has the ids in the order of the kinds, whichever record it is seen from. */
const linkPath = (own: End, linkedId: string) =>
  kinds.map(({ name, path }) => `/${path}/${name === own.kind.name ? own.id : linkedId}`).join('')

const refetchBoth = (client: QueryClient, ...ids: string[]) =>
  Promise.all([
    refetchLinks(client, new Set(ids)),
    refetchSuggestedLinks(client),
    ...ids.map((id) => client.invalidateQueries({ queryKey: historyKey(id) })),
  ])

/** Links two records, or changes the role of a link. */
export const putLink = (own: End) =>
  mutationOptions({
    mutationFn: ({ id, ...input }: { id: string } & LinkInput) => put<LinkedRecord>(linkPath(own, id), input),
    onSuccess: (_link, { id }, _result, { client }) => refetchBoth(client, own.id, id),
    meta: { failure: 'Failed to save the link' },
  })

export const deleteLink = (own: End) =>
  mutationOptions({
    mutationFn: (id: string) => del(linkPath(own, id)),
    onSuccess: (_nothing, id, _result, { client }) => refetchBoth(client, own.id, id),
    meta: { failure: 'Failed to remove the link' },
  })
