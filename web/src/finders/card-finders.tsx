import { Anchor } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { useOpenNotes } from '#web/notes/notes-provider.tsx'
import { paths } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useRights } from '#web/session/use-rights.ts'
import { addFinder, deleteFinder } from './api.ts'
import classes from './card-finders.module.css'
import { finderSentence } from './finder-words.ts'

type CardFindersProps = { kind: RecordKind; record: RecordRow }

/** On a card: the finders, where there are several. */
export const CardFinders = ({ record: { finders } }: { record: RecordRow }) =>
  finders.count > 1 && (
    <span className={classes.names} title={finderSentence(finders)}>
      {finderSentence(finders)}
    </span>
  )

/** In the row of links: *I met them too*, unless the reader is one of the finders. */
export const MetToo = ({ kind, record }: CardFindersProps) => {
  const { id, name, finders } = record
  const mayChange = useRights()('change')
  const [hasMet, setMet] = useState(false)
  const add = useMutation(addFinder(kind, id))
  const takeBack = useMutation(deleteFinder(kind, id))
  const openNotes = useOpenNotes()
  const line = useRef<HTMLDivElement>(null)
  const isBusy = add.isPending || takeBack.isPending
  if (!mayChange || (finders.mine && !hasMet)) return null

  // The button that had the focus goes.
  const settle = (met: boolean) => ({
    onSuccess: () => {
      setMet(met)
      line.current?.focus({ preventScroll: true })
    },
  })
  return (
    <div ref={line} tabIndex={-1} className={classes.root}>
      {hasMet && (
        <span role="status">
          {'You met them too, and the record is in '}
          <Anchor component={Link} inherit to={`${paths.myRecords}?${new URLSearchParams({ search: name })}`}>
            My Records
          </Anchor>
          {' now.'}
        </span>
      )}
      {hasMet && (
        <button type="button" className={classes.act} onClick={() => openNotes({ kind, id, record })}>
          Add a note
          <span className="visually-hidden"> as a finder of {name}</span>
        </button>
      )}
      {hasMet && (
        <button
          type="button"
          className={classes.act}
          disabled={isBusy}
          onClick={() => takeBack.mutate(undefined, settle(false))}
        >
          Take it back
          <span className="visually-hidden"> ({name})</span>
        </button>
      )}
      {!hasMet && !finders.mine && (
        <button
          type="button"
          className={classes.act}
          disabled={isBusy}
          onClick={() => add.mutate(undefined, settle(true))}
        >
          I met them too
          <span className="visually-hidden"> ({name})</span>
        </button>
      )}
    </div>
  )
}
