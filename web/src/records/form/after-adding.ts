import { useEffect, useState } from 'react'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { type AfterAdding, linkValues } from './link-values.ts'

/**
 * What a link to an add form asks for beyond its fields: a tag and a next step, which the record gets once it is added. Kept with
 * the drafts of the account until then. A form that waits for the network has its own.
 */
export function useAfterAdding(
  kind: RecordKind,
  account: string,
  waiting: { after?: AfterAdding | undefined } | undefined,
) {
  const place: DraftPlace = { account, form: `link to ${kind.name}, afterwards` }
  const [after, setAfter] = useState<AfterAdding>(
    () => waiting?.after ?? linkValues.afterOf(kind) ?? (drafts.read(place) as AfterAdding | null) ?? {},
  )
  const set = (next: AfterAdding) => {
    setAfter(next)
    if (waiting) return
    if (Object.keys(next).length > 0) drafts.keep(place, next)
    else drafts.discard(place)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is shown
  useEffect(() => {
    if (waiting) return
    set(after)
    linkValues.keepAfter(kind, {})
  }, [])
  return { after, set, clear: () => set({}) }
}
