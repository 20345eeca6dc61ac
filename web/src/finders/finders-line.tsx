import { Anchor, Avatar, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { Finder, FinderSummary } from '#contract/finder.ts'
import { formatDay } from '#web/lib/dates.ts'
import { initialsOf } from '#web/lib/initials.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { useRights } from '#web/session/use-rights.ts'
import { addFinder, deleteFinder, listFinders } from './api.ts'
import { othersWords } from './finder-words.ts'
import classes from './finders-line.module.css'

type FindersLineProps = {
  kind: RecordKind
  id: string
  /** Under its own title, as faces, where a single finder is shown too. What the record says of them keeps their space. */
  expected?: FinderSummary
}

/** The finders of a record, when there are several, and a button to join them or to take that back. */
export const FindersLine = ({ kind, id, expected }: FindersLineProps) => {
  const isTitled = expected !== undefined
  const { data: finders } = useQuery(listFinders(id))
  const add = useMutation(addFinder(kind, id))
  const takeBack = useMutation(deleteFinder(kind, id))
  const mayChange = useRights()('change')
  const line = useRef<HTMLDivElement>(null)
  if (!finders) return expected ? <div style={{ height: heightOf(expected) }} /> : null
  const mine = finders.find(({ isMe }) => isMe)
  if (mine && finders.length === 1 && !isTitled) return null
  const isBusy = add.isPending || takeBack.isPending
  // The button that had the focus goes.
  const settled = { onSuccess: () => line.current?.focus() }
  return (
    <div ref={line} tabIndex={-1} className={classes.root} data-titled={isTitled || undefined}>
      {isTitled ? <Faces finders={finders} /> : finders.length > 1 && <Found finders={finders} />}
      {mayChange && !mine && (
        <Button variant="default" size="xs" disabled={isBusy} onClick={() => add.mutate(undefined, settled)}>
          I met them too
        </Button>
      )}
      {mayChange && mine?.via === 'self' && (
        <Button variant="subtle" size="xs" disabled={isBusy} onClick={() => takeBack.mutate(undefined, settled)}>
          Take back “I met them too”
        </Button>
      )}
    </div>
  )
}

/** The faces take one line. The button is for those who are none of them. */
const heightOf = ({ mine }: FinderSummary) => 32 + (mine ? 0 : 38)

const FACES_MAX = 5

/** The first finders as faces, the first one named, and the others with their days on request. */
const Faces = ({ finders }: { finders: Finder[] }) => {
  const list = useId()
  const [isOpen, setOpen] = useState(false)
  const [first, ...others] = finders
  if (!first) return null
  return (
    <>
      <div className={classes.found}>
        <ul className={classes.faces} aria-label="Finders">
          {finders.slice(0, FACES_MAX).map(({ fellow }) => (
            <li key={fellow.id ?? fellow.name} title={fellow.name}>
              <Avatar name={fellow.name} size={32} aria-hidden="true">
                {initialsOf(fellow.name)}
              </Avatar>
              <span className="visually-hidden">{fellow.name}</span>
            </li>
          ))}
        </ul>
        <p className={classes.first}>
          <bdi className={classes.name}>{first.fellow.name}</bdi>
          {others.length === 0 ? (
            <time dateTime={first.foundAt}>{formatDay(first.foundAt)}</time>
          ) : (
            <Anchor
              component="button"
              type="button"
              className={classes.others ?? ''}
              aria-expanded={isOpen}
              aria-controls={list}
              onClick={() => setOpen(!isOpen)}
            >
              {othersWords(others.length)}
            </Anchor>
          )}
        </p>
      </div>
      <ol id={list} className={classes.all} hidden={!isOpen} tabIndex={isOpen ? 0 : undefined} aria-label="All finders">
        {isOpen &&
          finders.map(({ fellow, foundAt }) => (
            <li key={fellow.id ?? fellow.name}>
              <bdi>{fellow.name}</bdi> · <time dateTime={foundAt}>{formatDay(foundAt)}</time>
            </li>
          ))}
      </ol>
    </>
  )
}

/** `Found by Ada (3 Mar 2026), then Grace (5 Mar 2026)`. */
const Found = ({ finders }: { finders: Finder[] }) => (
  <p className={classes.text}>
    {'Found by '}
    {finders.map(({ fellow, foundAt }, place) => (
      <span key={fellow.id ?? fellow.name}>
        {place > 0 && ', then '}
        <bdi>{fellow.name}</bdi> (<time dateTime={foundAt}>{formatDay(foundAt)}</time>)
      </span>
    ))}
  </p>
)
