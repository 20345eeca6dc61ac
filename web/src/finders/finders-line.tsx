import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Finder } from '#contract/finder.ts'
import { formatDay } from '#web/lib/dates.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { addFinder, listFinders } from './api.ts'
import classes from './finders-line.module.css'

/** The finders of a record, when there are several, and a button for a person who is not one of them. */
export const FindersLine = ({ kind, id }: { kind: RecordKind; id: string }) => {
  const { data: finders } = useQuery(listFinders(id))
  const { mutate, isPending } = useMutation(addFinder(kind, id))
  const line = useRef<HTMLDivElement>(null)
  if (!finders) return null
  const hasFound = finders.some(({ isMe }) => isMe)
  if (hasFound && finders.length === 1) return null
  return (
    <div ref={line} tabIndex={-1} className={classes.root}>
      {finders.length > 1 && <Found finders={finders} />}
      {!hasFound && (
        <Button
          variant="default"
          size="xs"
          disabled={isPending}
          onClick={() => mutate(undefined, { onSuccess: () => line.current?.focus() })}
        >
          I met them too
        </Button>
      )}
    </div>
  )
}

/** `Found by Ada (3 Mar 2026), then Grace (5 Mar 2026)`. */
const Found = ({ finders }: { finders: Finder[] }) => (
  <p className={classes.text}>
    Found by{' '}
    {finders.map(({ fellow, foundAt }, place) => (
      <span key={fellow.id ?? fellow.name}>
        {place > 0 && ', then '}
        <bdi>{fellow.name}</bdi> (<time dateTime={foundAt}>{formatDay(foundAt)}</time>)
      </span>
    ))}
  </p>
)
