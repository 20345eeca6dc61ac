import { useEffect, useSyncExternalStore } from 'react'
import type { Kind } from '#contract/kinds.ts'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'
import { recordPath } from '#web/paths.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { type LinkValues, linkStore } from './link-store.ts'

/** The next day, nothing is filled in anymore. */
const LASTS_MS = 12 * 3_600_000

/** Where the values of a link stay once a page has shown them: with the account that saw them. They are no draft. */
const linkPlace = (account: string, address: string): DraftPlace => ({ account, form: `link to ${address}` })

const fresh = (place: DraftPlace): unknown => {
  const { values = null, at = 0 } = (drafts.read(place) ?? {}) as { values?: unknown; at?: number }
  return Date.now() - at < LASTS_MS ? values : null
}

/** What a link has filled in at an address, and how to change it; null when nothing is left. */
export function useLink<Values extends object>(address: string): [Values | null, (next: Values | null) => void] {
  const place = linkPlace(useOwner(), address)
  const read = () => JSON.stringify(linkStore.read(address) ?? fresh(place))
  const text = useSyncExternalStore(drafts.subscribe, read)
  const keep = (values: Values | null) => {
    linkStore.delete(address)
    if (values === null) drafts.discard(place)
    else drafts.keep(place, { values, at: Date.now() })
  }
  useEffect(() => {
    const given = linkStore.read(address) as Values | null
    if (given !== null) keep(given)
  })
  return [JSON.parse(text), keep]
}

/** Takes along what a link has filled in on the page of a record that was merged. */
export function moveLink(account: string, from: string, to: string) {
  const [place, moved] = [linkPlace(account, from), linkPlace(account, to)]
  const given = linkStore.read(from) ?? fresh(place)
  if (given === null) return
  linkStore.delete(from)
  drafts.discard(place)
  drafts.keep(moved, { values: given, at: Date.now() })
}

/** What a link has filled in on the page of a record. */
export function useRecordLink(kind: Pick<Kind, 'path'>, id: string) {
  const [values, keep] = useLink<LinkValues>(recordPath(kind, { id }))
  return {
    values: values ?? {},
    /** Once it is done, or the person wants it no more. */
    drop: (...names: string[]) => {
      if (values === null || !names.some((name) => name in values)) return
      const rest = Object.entries(values).filter(([name]) => !names.includes(name))
      keep(rest.length > 0 ? Object.fromEntries(rest) : null)
    },
  }
}
