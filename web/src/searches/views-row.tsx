import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { SAVED } from '#contract/search-news.ts'
import { whenIdle } from '#web/lib/idle.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { hadViews } from './had-views.ts'
import classes from './views-row.module.css'

const Views = lazyPart('The views could not be loaded.', async () => (await import('./views.tsx')).Views)

/**
 * The names of saved searches above the chips of a list or of the board. They keep their place from the first paint where
 * there were some the last time; otherwise they are looked for once the browser is idle.
 */
export function ViewsRow({ kind, isBoard = false }: { kind: RecordKind; isBoard?: boolean }) {
  const [parameters] = useSearchParams()
  const isOpen = !isBoard && parameters.has(SAVED)
  const [isExpected, setExpected] = useState(() => isOpen || hadViews.get(kind))
  const [isLooking, setLooking] = useState(isExpected)
  useEffect(() => (isLooking ? undefined : whenIdle(() => setLooking(true))), [isLooking])
  return (
    <div className={classes.root} data-names={isExpected || undefined} data-open={isOpen || undefined}>
      {isLooking && <Views kind={kind} isBoard={isBoard} isExpected={isExpected} expect={() => setExpected(true)} />}
    </div>
  )
}
