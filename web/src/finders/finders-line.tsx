import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Finder, FinderSummary } from '#contract/finder.ts'
import { formatDay } from '#web/lib/dates.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { addFinder, deleteFinder, listFinders } from './api.ts'
import classes from './finders-line.module.css'

type FindersLineProps = {
  kind: RecordKind
  id: string
  /** Under its own title, where a single finder is shown too. What the record says of them keeps their space. */
  expected?: FinderSummary
}

/** The finders of a record, when there are several, and a button to join them or to take that back. */
export const FindersLine = ({ kind, id, expected }: FindersLineProps) => {
  const isTitled = expected !== undefined
  const { data: finders } = useQuery(listFinders(id))
  const add = useMutation(addFinder(kind, id))
  const takeBack = useMutation(deleteFinder(kind, id))
  const line = useRef<HTMLDivElement>(null)
  if (!finders) return expected ? <div style={{ height: heightOf(expected) }} /> : null
  const mine = finders.find(({ isMe }) => isMe)
  if (mine && finders.length === 1 && !isTitled) return null
  const isBusy = add.isPending || takeBack.isPending
  // The button that had the focus goes.
  const settled = { onSuccess: () => line.current?.focus() }
  return (
    <div ref={line} tabIndex={-1} className={classes.root} data-titled={isTitled || undefined}>
      {(finders.length > 1 || isTitled) && <Found finders={finders} isTitled={isTitled} />}
      {!mine && (
        <Button variant="default" size="xs" disabled={isBusy} onClick={() => add.mutate(undefined, settled)}>
          I met them too
        </Button>
      )}
      {mine?.via === 'self' && (
        <Button variant="subtle" size="xs" disabled={isBusy} onClick={() => takeBack.mutate(undefined, settled)}>
          Take back “I met them too”
        </Button>
      )}
    </div>
  )
}

/** Two finders take two lines beside the page. The button is for those who are none. */
const heightOf = ({ count, mine }: FinderSummary) => 20 * Math.min(count, 2) + (mine ? 0 : 38)

/** `Found by Ada (3 Mar 2026), then Grace (5 Mar 2026)`. */
const Found = ({ finders, isTitled }: { finders: Finder[]; isTitled: boolean }) => (
  <p className={classes.text}>
    {!isTitled && 'Found by '}
    {finders.map(({ fellow, foundAt }, place) => (
      <span key={fellow.id ?? fellow.name}>
        {place > 0 && ', then '}
        <bdi>{fellow.name}</bdi> (<time dateTime={foundAt}>{formatDay(foundAt)}</time>)
      </span>
    ))}
  </p>
)
