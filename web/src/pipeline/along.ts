import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { LinkedRecord } from '#contract/link.ts'
import { withStorage } from '#web/lib/storage.ts'
import { linkedKindOf, listLinks } from '#web/links/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { getPipeline } from './api.ts'

const SETTING = 'move-along'
/** Of so many linked companies, the one that is at the founder's stage moves along. */
export const LOOKED_AT = 5

const listeners = new Set<() => void>()

/** Whether the linked company moves along with a founder. A setting of this browser, off to begin with. */
export const movesAlong = {
  isOn: () => withStorage(() => localStorage.getItem(SETTING)) === 'on',
  set: (isOn: boolean) => {
    withStorage(() => (isOn ? localStorage.setItem(SETTING, 'on') : localStorage.removeItem(SETTING)))
    for (const listener of listeners) listener()
  },
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useMovesAlong = () => useSyncExternalStore(subscribe, movesAlong.isOn)

/** Only founders take the other kind along. */
export const takesAlong = (kind: RecordKind) => kind.isPerson

export type Companion = { id: string; name: string; version: number; stageId: string | null }

/**
 * The linked company that moves along with a founder: the one at the founder's stage, else the one that was linked last.
 * Undefined without a link.
 */
export async function findCompanion(
  client: QueryClient,
  kind: RecordKind,
  { id, stageId }: { id: string; stageId: string | null },
): Promise<Companion | undefined> {
  const { pages } = await client.fetchInfiniteQuery(listLinks({ kind, id }))
  const links: LinkedRecord[] = pages.flatMap(({ rows }) => rows).slice(0, LOOKED_AT)
  const companions = await Promise.all(
    links.map(async ({ id, name }) => {
      const { version, stage } = await client.fetchQuery({ ...getPipeline(id), staleTime: 0 })
      return { id, name, version, stageId: stage?.id ?? null }
    }),
  )
  return companionAmong(companions, stageId)
}

export const companionAmong = <Linked extends Pick<Companion, 'stageId'>>(linked: Linked[], stageId: string | null) =>
  linked.find((companion) => companion.stageId === stageId) ?? linked[0]

/** Of a kind that takes another along. */
export const companionKindOf = (kind: RecordKind) => linkedKindOf(kind) as RecordKind
